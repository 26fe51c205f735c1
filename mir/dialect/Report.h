// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a pass reports an error or a warning to users. MLIR's diagnostic carries the row of the
// diagnostic as metadata.
#pragma once

#include "mir/dialect/PassDiagnostic.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include <optional>

namespace spl::mir {

/// Begins the error or warning of \p row at \p loc.
inline mlir::InFlightDiagnostic emitPassDiagnostic(mlir::Location loc, PassDiagnostic row) {
  mlir::InFlightDiagnostic result = isWarning(row) ? mlir::emitWarning(loc) : mlir::emitError(loc);
  auto i32 = mlir::IntegerType::get(loc.getContext(), 32);
  result.getUnderlyingDiagnostic()->getMetadata().emplace_back(
      mlir::IntegerAttr::get(i32, int64_t(row)));
  return result;
}

/// The row of a diagnostic from emitPassDiagnostic, or std::nullopt for others.
inline std::optional<PassDiagnostic> rowOf(mlir::Diagnostic &diagnostic) {
  for (const mlir::DiagnosticArgument &data : diagnostic.getMetadata())
    if (data.getKind() == mlir::DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      if (auto row = mlir::dyn_cast<mlir::IntegerAttr>(data.getAsAttribute()))
        return PassDiagnostic(row.getInt());
  return std::nullopt;
}

} // namespace spl::mir

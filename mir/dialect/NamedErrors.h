// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that a pass reports to users, under the names that frontend/diag/Compiling.def lists. The
// name travels with MLIR's diagnostic; codegen/Diagnostics.h reads it.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

namespace spl::mir {

inline mlir::InFlightDiagnostic emitNamed(mlir::Location loc, llvm::StringRef name) {
  mlir::InFlightDiagnostic error = mlir::emitError(loc);
  error.getUnderlyingDiagnostic()->getMetadata().emplace_back(
      mlir::StringAttr::get(loc.getContext(), name));
  return error;
}

} // namespace spl::mir

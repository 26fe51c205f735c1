// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors and warnings that a pass reports to users, under the names that
// frontend/diag/Compiling.def lists. The name travels with MLIR's diagnostic; codegen/Diagnostics.h
// reads it.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

namespace spl::mir {

inline mlir::InFlightDiagnostic withName(mlir::InFlightDiagnostic diagnostic,
                                         llvm::StringRef name) {
  mlir::Diagnostic &inside = *diagnostic.getUnderlyingDiagnostic();
  inside.getMetadata().emplace_back(mlir::StringAttr::get(inside.getLocation().getContext(), name));
  return diagnostic;
}

inline mlir::InFlightDiagnostic emitNamed(mlir::Location loc, llvm::StringRef name) {
  return withName(mlir::emitError(loc), name);
}

inline mlir::InFlightDiagnostic warnNamed(mlir::Location loc, llvm::StringRef name) {
  return withName(mlir::emitWarning(loc), name);
}

} // namespace spl::mir

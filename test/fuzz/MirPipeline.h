// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the fuzz targets that reach MIR: a context for many inputs, and the passes of every target.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace spl::fuzz {

/// A context that holds MIR's dialects and says nothing. It lives through many calls, since it is
/// slow to make, and is made anew from time to time, since it keeps every type and attribute that
/// it ever saw.
mlir::MLIRContext &context();

/// Runs each target's passes over a copy of the module, with the verifier after each pass.
void runPasses(mlir::ModuleOp module);

} // namespace spl::fuzz

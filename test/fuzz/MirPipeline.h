// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the fuzz targets that reach MIR: a context for many inputs, and the passes of every
// target.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace spl::fuzz {

/// A context with MIR's dialects and without diagnostic output. It is reused, because it is slow to
/// make. It is replaced from time to time, because it keeps every type and attribute that was ever
/// created.
mlir::MLIRContext &context();

/// Runs the passes of each target on a copy of the module. The verifier runs after each pass.
void runPasses(mlir::ModuleOp module);

} // namespace spl::fuzz

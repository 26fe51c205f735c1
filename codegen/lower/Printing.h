// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the targets' lowerings of spl.print share. Each print becomes a function of its
// own. Therefore the memory for its values is not in the kernel's frame, and its code is not in the
// kernel.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// Creates an internal function, and calls it with the arguments. fill emits the body of the
/// function; it is called with the parameters.
void callOutlined(mir::PrintOp op, mlir::ValueRange arguments, Lowering &lowering,
                  mlir::OpBuilder &builder, llvm::function_ref<void(mlir::ValueRange)> fill);

/// The format of a print for the host, as cpu_abi.h defines it for spl_cpu_print. If there are more
/// than \p maxValues values, it ends in "..." after that many.
std::string formatForHost(mir::PrintOp op, size_t maxValues = SIZE_MAX);
/// Converts a printed value to 64 bits, as cpu_abi.h defines them: an integer, a bool, or the bits
/// of a float.
mlir::Value printedBits(mlir::Value value, mlir::Location loc, mlir::OpBuilder &builder);

/// The address of a constant text with a terminating zero byte.
mlir::Value constantText(llvm::StringRef text, Lowering &lowering, mlir::OpBuilder &builder);

} // namespace spl::codegen

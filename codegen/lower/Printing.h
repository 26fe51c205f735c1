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

/// The address of a constant text with a terminating zero byte.
mlir::Value constantText(llvm::StringRef text, Lowering &lowering, mlir::OpBuilder &builder);

} // namespace spl::codegen

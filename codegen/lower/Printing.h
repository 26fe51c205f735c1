// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the targets' lowerings of spl.print share: each print is a function of its own, so that its
// memory for the values is no part of the kernel's frame and its code is moved away from it.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// Calls a new internal function with the arguments; fill gets its parameters, at its beginning.
void callOutlined(mir::PrintOp op, mlir::ValueRange arguments, Lowering &lowering,
                  mlir::OpBuilder &builder, llvm::function_ref<void(mlir::ValueRange)> fill);

/// The address of a constant text, which a zero byte follows.
mlir::Value constantText(llvm::StringRef text, Lowering &lowering, mlir::OpBuilder &builder);

} // namespace spl::codegen

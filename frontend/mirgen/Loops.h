// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// while and for. A loop carries these values, in this order: the locals that its body assigns; for
// break and for return, where they occur, whether they were not taken; then the returned value.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

using Values = llvm::SmallVector<mlir::Value>;

void emitWhile(FunctionContext &fn, const sema::WhileStmt &stmt);
void emitFor(FunctionContext &fn, const sema::ForStmt &stmt);

/// The carried values before the loop.
Values enterLoop(FunctionContext &fn, const LoopFacts &facts, mlir::Location location);
/// Makes the values the current ones of the locals, and returns the exits among them.
ControlState takeCarried(FunctionContext &fn, const LoopFacts &facts, mlir::ValueRange values);
/// Emits the body on the values of one iteration and returns those of the next.
Values emitLoopBody(FunctionContext &fn, const LoopFacts &facts, sema::Block body,
                    mlir::ValueRange values, mlir::Location location);
void leaveLoop(FunctionContext &fn, const LoopFacts &facts, mlir::ValueRange values);

} // namespace spl::mirgen

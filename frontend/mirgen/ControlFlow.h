// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if statements, and the code after a statement that may have left the straight line by break,
// continue or return.
#pragma once

#include "frontend/mirgen/Statements.h"

namespace spl::mirgen {

/// What the code after an scf.if can see of its arms.
struct Visible {
  Slot slotsBelow;          ///< locals from this one on are dead
  std::optional<Exit> dead; ///< an exit that leads where control goes anyway
  bool declarations;        ///< whether locals declared in the arms are visible too
};

Visible visibleAfter(const FunctionContext &fn, bool isTail);
/// Whether one arm alone runs through to its end, so that the code after the if can move into it.
bool canContinueInside(const FunctionContext &fn, const sema::IfStmt &stmt);
/// rest (or null) is emitted in the one arm that runs through to its end.
void emitIf(FunctionContext &fn, const sema::IfStmt &stmt, size_t arm, StatementQueue *rest,
            bool isTail);
/// The condition that no exit was taken; null where none can have been taken.
mlir::Value stays(FunctionContext &fn, const ControlState &control, mlir::Location location);
/// Emits the body under the condition that no exit was taken.
void emitGuarded(FunctionContext &fn, mlir::Location location, Visible visible,
                 llvm::function_ref<void()> body);
/// Emits the queue in segments, each guarded, which end after a statement that may exit. What a
/// segment declares is visible in the next one.
void emitSegments(FunctionContext &fn, mlir::Location location, StatementQueue &queue);

} // namespace spl::mirgen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if statements, and the code after a statement that may have executed break, continue or return.
// Such an exit is a flag that later code tests, because MIR is structured.
#pragma once

#include "frontend/mirgen/Statements.h"

namespace spl::mirgen {

/// What the code after an scf.if can see of its arms, and so what the scf.if must yield.
struct Visible {
  Slot slotsBelow;          ///< no code reads locals from this slot on
  std::optional<Exit> dead; ///< an exit that needs no flag: control goes to its target anyway
  bool declarations;        ///< whether locals declared in the arms are visible too
};

Visible visibleAfter(const FunctionContext &fn, bool isTail);
/// Whether exactly one arm can reach its end, so that the code after the if can move into that arm.
bool canContinueInside(const FunctionContext &fn, const sema::IfStmt &stmt);
/// Emits the arms of stmt from this one on. rest, if it is not null, is the code after the if; it
/// is emitted in the one arm that can reach its end.
void emitIf(FunctionContext &fn, const sema::IfStmt &stmt, size_t arm, StatementQueue *rest,
            bool isTail);
/// The condition that no exit was taken; null if no exit can have been taken.
mlir::Value stays(FunctionContext &fn, const ControlState &control, mlir::Location location);
/// Emits the body under the condition that no exit was taken.
void emitGuarded(FunctionContext &fn, mlir::Location location, Visible visible,
                 llvm::function_ref<void()> body);
/// Emits the queue in segments. A segment ends after a statement that may exit, and runs under the
/// condition that no exit was taken. The next segments can see what a segment declares.
void emitSegments(FunctionContext &fn, mlir::Location location, StatementQueue &queue);

} // namespace spl::mirgen

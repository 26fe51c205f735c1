// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements in sequence, and the statements without control flow.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

/// Statements to emit: those of a block, then those that follow the statement which holds the
/// block.
struct StatementQueue {
  sema::Block block;
  StatementQueue *rest = nullptr;

  const sema::Stmt *next(); ///< removes and returns the first statement; null at the end
  bool empty() const { return block.empty() && (!rest || rest->empty()); }
};

/// isTail: nothing of the function, or of the body of the loop, comes after the queue.
void emitStatements(FunctionContext &fn, StatementQueue &queue, bool isTail);
void emitStmt(FunctionContext &fn, const sema::Stmt &stmt, bool isTail);

} // namespace spl::mirgen

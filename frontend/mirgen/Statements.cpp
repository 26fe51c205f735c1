// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences of statements, and the statements without control flow.
#include "frontend/mirgen/Statements.h"
#include "frontend/mirgen/Aggregates.h"
#include "frontend/mirgen/ControlFlow.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Leaves.h"
#include "frontend/mirgen/Loops.h"
#include "frontend/mirgen/Places.h"
#include "frontend/mirgen/Print.h"
#include "mir/dialect/SplDialect.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

/// Nesting of code at most because of exits; deeper code is split into segments.
static constexpr unsigned maxGuardDepth = 64;

static void emitAssign(FunctionContext &fn, const sema::AssignStmt &stmt);
static void emitReturn(FunctionContext &fn, const sema::ReturnStmt &stmt);

const sema::Stmt *StatementQueue::next() {
  if (block.empty())
    return rest ? rest->next() : nullptr;
  const sema::Stmt *stmt = block.front();
  block = block.drop_front();
  return stmt;
}

void mirgen::emitStatements(FunctionContext &fn, StatementQueue &queue, bool isTail) {
  while (const sema::Stmt *stmt = queue.next()) {
    bool isLast = queue.empty();
    auto *branch = dyn_cast<sema::IfStmt>(stmt);
    if (branch && !isLast && fn.guardDepth < maxGuardDepth && canContinueInside(fn, *branch)) {
      ++fn.guardDepth;
      emitIf(fn, *branch, 0, &queue, isTail);
      --fn.guardDepth;
      return;
    }
    emitStmt(fn, *stmt, isTail && isLast);
    if (!fn.control.reachable || queue.empty())
      return;
    if (!fn.control.mayHaveLeft())
      continue;
    if (fn.guardDepth < maxGuardDepth) {
      ++fn.guardDepth;
      emitGuarded(fn, fn.locationOf(*stmt), visibleAfter(fn, isTail),
                  [&] { emitStatements(fn, queue, isTail); });
      --fn.guardDepth;
      return;
    }
    return emitSegments(fn, fn.locationOf(*stmt), queue);
  }
}

/// The operation that declares the shared array; null for other values.
static Operation *sharedArrayOf(const sema::Expr &expr, Value value) {
  if (!isa<sema::SharedExpr, sema::SharedDynExpr>(expr))
    return nullptr;
  if (auto part = value.getDefiningOp<mir::SubsliceOp>()) // of dynamic shared memory
    value = part.getSlice();
  return value.getDefiningOp();
}

void mirgen::emitStmt(FunctionContext &fn, const sema::Stmt &stmt, bool isTail) {
  using Kind = sema::Stmt::Kind;
  switch (stmt.kind) {
  case Kind::Let: {
    auto &let = *cast<sema::LetStmt>(&stmt);
    if (let.local->type.holdsSlices())
      return declareLeaves(fn, *let.local, *let.value);
    if (!fn.facts.isInMemory(let.local)) {
      Value value = emitExpr(fn, *let.value);
      if (Operation *array = sharedArrayOf(*let.value, value))
        array->setDiscardableAttr(mir::SplDialect::nameAttr,
                                  fn.builder.getStringAttr(let.local->name));
      return fn.env.set(fn.facts.slot(let.local), value);
    }
    Value memory = emitLocal(fn, let.local->type, fn.locationOf(stmt), let.local->name);
    emitInto(fn, *let.value, wholeOf(fn, memory, fn.locationOf(stmt)));
    return fn.env.set(fn.facts.slot(let.local), memory);
  }
  case Kind::Assign:
    return emitAssign(fn, *cast<sema::AssignStmt>(&stmt));
  case Kind::Expr:
    emitExpr(fn, *cast<sema::ExprStmt>(&stmt)->value);
    return;
  case Kind::If:
    return emitIf(fn, *cast<sema::IfStmt>(&stmt), 0, nullptr, isTail);
  case Kind::While:
    return emitWhile(fn, *cast<sema::WhileStmt>(&stmt));
  case Kind::For:
    return emitFor(fn, *cast<sema::ForStmt>(&stmt));
  case Kind::Print:
    return emitPrint(fn, cast<sema::PrintStmt>(&stmt)->format, /*isMessage=*/false,
                     fn.locationOf(stmt));
  case Kind::Assert:
    return emitAssert(fn, *cast<sema::AssertStmt>(&stmt));
  case Kind::Break:
    return fn.control.leave(Exit::Break);
  case Kind::Continue:
    return fn.control.leave(Exit::Continue);
  case Kind::Return:
    return emitReturn(fn, *cast<sema::ReturnStmt>(&stmt));
  }
}

// Left to right: the place first, once, then the value, then the store. A struct's value may read
// the place, so that it is computed elsewhere.
static void emitAssign(FunctionContext &fn, const sema::AssignStmt &stmt) {
  Location location = fn.locationOf(*stmt.place);
  if (stmt.place->type.holdsSlices())
    return assignLeaves(fn, *stmt.place, *stmt.value);
  Place target = emitPlace(fn, *stmt.place);
  if (stmt.place->type.isAggregate())
    return copy(fn, emitPlace(fn, *stmt.value), target, location);
  fn.assigned = target;
  write(fn, emitExpr(fn, *stmt.value), target, location);
}

static void emitReturn(FunctionContext &fn, const sema::ReturnStmt &stmt) {
  if (stmt.value && fn.result)
    emitInto(fn, *stmt.value, wholeOf(fn, fn.result, fn.locationOf(stmt)));
  else if (stmt.value)
    fn.control.result = emitExpr(fn, *stmt.value);
  fn.control.leave(Exit::Return);
}

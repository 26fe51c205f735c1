// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes around a loop, and while. A loop that break or return can leave asks for it each round.
#include "frontend/mirgen/Loops.h"
#include "frontend/mirgen/ControlFlow.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Statements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Values mirgen::enterLoop(FunctionContext &fn, const LoopFacts &facts, Location location) {
  Values values;
  for (Slot slot : facts.assigned)
    values.push_back(fn.env.get(slot));
  values.append(facts.breaks + facts.returns, nullptr);
  for (Value &value : llvm::drop_begin(values, facts.assigned.size()))
    value = fn.boolean(true, location);
  if (facts.returns && fn.returnsValue())
    values.push_back(fn.control.result ? fn.control.result
                                       : fn.noValue(fn.module.type(fn.function.result), location));
  return values;
}

ControlState mirgen::takeCarried(FunctionContext &fn, const LoopFacts &facts, ValueRange values) {
  for (auto [slot, value] : llvm::zip(facts.assigned, values))
    fn.env.set(slot, value);
  values = values.drop_front(facts.assigned.size());
  ControlState carried;
  carried.result = fn.control.result;
  if (facts.breaks) {
    carried[Exit::Break] = Taken::maybe(values.front());
    values = values.drop_front();
  }
  if (facts.returns) {
    carried[Exit::Return] = Taken::maybe(values.front());
    values = values.drop_front();
  }
  if (!values.empty())
    carried.result = values.front();
  return carried;
}

Values mirgen::emitLoopBody(FunctionContext &fn, const LoopFacts &facts, sema::Block body,
                            ValueRange values, Location location) {
  ControlState outside = fn.control;
  const LoopFacts *outer = std::exchange(fn.loop, &facts);
  Value result = takeCarried(fn, facts, values).result;
  fn.control = ControlState();
  fn.control.result = result;
  StatementQueue stream{body};
  emitStatements(fn, stream, /*isTail=*/true);

  Values next;
  for (Slot slot : facts.assigned)
    next.push_back(fn.env.get(slot));
  for (auto [exit, occurs] : {std::pair(Exit::Break, facts.breaks), {Exit::Return, facts.returns}})
    if (occurs)
      next.push_back(fn.control[exit].state == Taken::State::Maybe
                         ? fn.control[exit].stays
                         : fn.boolean(fn.control[exit].state == Taken::State::Never, location));
  if (facts.returns && fn.returnsValue())
    next.push_back(fn.control.result);
  fn.loop = outer;
  fn.control = outside;
  return next;
}

void mirgen::leaveLoop(FunctionContext &fn, const LoopFacts &facts, ValueRange values) {
  fn.control = takeCarried(fn, facts, values);
  fn.control[Exit::Break] = {};
}

//===-- while --===//

static void emitLoopCondition(FunctionContext &fn, const ControlState &carried,
                              const sema::Expr &condition, ValueRange values) {
  Location location = fn.locationOf(condition);
  Value running = stays(fn, carried, location);
  Value continues;
  if (!running)
    continues = emitExpr(fn, condition);
  else if (isCheap(condition))
    continues = fn.builder.createOrFold<arith::AndIOp>(location, running, emitExpr(fn, condition));
  else
    continues = emitChoice(
        fn, location, running, fn.builder.getI1Type(),
        [&] { return SmallVector<Value, 2>{emitExpr(fn, condition)}; },
        [&] { return SmallVector<Value, 2>{fn.boolean(false, location)}; })[0];
  scf::ConditionOp::create(fn.builder, location, continues, values);
}

void mirgen::emitWhile(FunctionContext &fn, const sema::WhileStmt &stmt) {
  const LoopFacts &facts = fn.facts.loop(stmt);
  Location location = fn.locationOf(stmt);
  Values inits = enterLoop(fn, facts, location);
  auto op = scf::WhileOp::create(fn.builder, location, ValueRange(inits).getTypes(), inits, nullptr,
                                 nullptr);
  {
    OpBuilder::InsertionGuard guard(fn.builder);
    fn.env.enter();
    fn.builder.setInsertionPointToEnd(op.getBeforeBody());
    ControlState carried = takeCarried(fn, facts, op.getBeforeArguments());
    emitLoopCondition(fn, carried, *stmt.condition, op.getBeforeArguments());

    fn.builder.setInsertionPointToEnd(op.getAfterBody());
    Values next = emitLoopBody(fn, facts, stmt.body, op.getAfterArguments(), location);
    scf::YieldOp::create(fn.builder, location, next);
    fn.env.leave();
  }
  leaveLoop(fn, facts, op.getResults());
}

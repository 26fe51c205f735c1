// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes around a loop, and while. A loop that break or return can leave asks for it each round.
#include "frontend/mirgen/FunctionGen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

FunctionGen::Values FunctionGen::enterLoop(const LoopFacts &facts, Location location) {
  Values values;
  for (Slot slot : facts.assigned)
    values.push_back(env.get(slot));
  values.append(facts.breaks + facts.returns, nullptr);
  for (Value &value : llvm::drop_begin(values, facts.assigned.size()))
    value = boolean(true, location);
  if (facts.returns && returnsValue())
    values.push_back(flow.result ? flow.result : noValue(module.type(function.result), location));
  return values;
}

Flow FunctionGen::takeCarried(const LoopFacts &facts, ValueRange values) {
  for (auto [slot, value] : llvm::zip(facts.assigned, values))
    env.set(slot, value);
  values = values.drop_front(facts.assigned.size());
  Flow carried;
  carried.result = flow.result;
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

FunctionGen::Values FunctionGen::emitLoopBody(const LoopFacts &facts, sema::Block body,
                                              ValueRange values, Location location) {
  Flow outside = flow;
  const LoopFacts *outer = std::exchange(loop, &facts);
  Value result = takeCarried(facts, values).result;
  flow = Flow();
  flow.result = result;
  Stream stream{body};
  emitStream(stream, /*tail=*/true);

  Values next;
  for (Slot slot : facts.assigned)
    next.push_back(env.get(slot));
  for (auto [exit, occurs] : {std::pair(Exit::Break, facts.breaks), {Exit::Return, facts.returns}})
    if (occurs)
      next.push_back(flow[exit].state == Taken::State::Maybe
                         ? flow[exit].stays
                         : boolean(flow[exit].state == Taken::State::Never, location));
  if (facts.returns && returnsValue())
    next.push_back(flow.result);
  loop = outer;
  flow = outside;
  return next;
}

void FunctionGen::leaveLoop(const LoopFacts &facts, ValueRange values) {
  flow = takeCarried(facts, values);
  flow[Exit::Break] = {};
}

//===-- while --===//

void FunctionGen::emitLoopCondition(const Flow &carried, const sema::Expr &condition,
                                    ValueRange values) {
  Location location = locationOf(condition);
  Value stays = this->stays(carried, location);
  Value goesOn;
  if (!stays)
    goesOn = emitExpr(condition);
  else if (isCheap(condition))
    goesOn = builder.createOrFold<arith::AndIOp>(location, stays, emitExpr(condition));
  else
    goesOn = emitChoice(
        location, stays, builder.getI1Type(),
        [&] { return SmallVector<Value, 2>{emitExpr(condition)}; },
        [&] { return SmallVector<Value, 2>{boolean(false, location)}; })[0];
  scf::ConditionOp::create(builder, location, goesOn, values);
}

void FunctionGen::emitWhile(const sema::WhileStmt &stmt) {
  const LoopFacts &facts = this->facts.loop(stmt);
  Location location = locationOf(stmt);
  Values inits = enterLoop(facts, location);
  auto op = scf::WhileOp::create(builder, location, ValueRange(inits).getTypes(), inits, nullptr,
                                 nullptr);
  {
    OpBuilder::InsertionGuard guard(builder);
    env.enter();
    builder.setInsertionPointToEnd(op.getBeforeBody());
    Flow carried = takeCarried(facts, op.getBeforeArguments());
    emitLoopCondition(carried, *stmt.condition, op.getBeforeArguments());

    builder.setInsertionPointToEnd(op.getAfterBody());
    Values next = emitLoopBody(facts, stmt.body, op.getAfterArguments(), location);
    scf::YieldOp::create(builder, location, next);
    env.leave();
  }
  leaveLoop(facts, op.getResults());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow around cuts. Where the condition is one, it stays as it is, outside the loops over
// work-items. In a warp whose lanes go different ways, each way runs with a mask of its lanes, as
// long as there are any. What differs between lanes goes through memory: its place stands for the
// result and the block's argument alike.
#include "mir/transforms/Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spl::mir;

void RegionCutter::emitCut(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  emitMeeting(cast<IntrinsicOp>(op));
}

RegionCutter::Values RegionCutter::keepDivergent(ValueRange values, bool allDiffer) {
  Values ones;
  for (Value value : values) {
    if (!allDiffer && isSame(value))
      ones.push_back(value);
    else
      (inWarp ? warp : group).kept[value] = newPlace(value.getType());
  }
  return ones;
}

/// Stores what goes from one place of control flow to another, all at once.
void RegionCutter::handOn(ValueRange from, ValueRange to) {
  Copies copies;
  for (auto [value, target] : llvm::zip(from, to))
    if (Value place = (inWarp ? warp : group).kept.lookup(target))
      copies.push_back({value, place});
  copyEach(copies);
}

/// The rest of it: what is one.
RegionCutter::Values RegionCutter::onesOf(ValueRange from, ValueRange to) {
  Values ones;
  for (auto [value, target] : llvm::zip(from, to))
    if (!(inWarp ? warp : group).kept.contains(target))
      ones.push_back(one(value));
  return ones;
}

static SmallVector<Type> typesOf(ArrayRef<Value> values) {
  return llvm::map_to_vector(values, [](Value value) { return value.getType(); });
}

//===-- if --===//

void RegionCutter::emitIf(scf::IfOp op) {
  Value condition = oneIfUniform(op.getCondition());
  if (!condition)
    return emitSplitIf(op);
  Values ones = keepDivergent(op.getResults(), /*allDiffer=*/false);
  auto branch =
      scf::IfOp::create(builder, op.getLoc(), typesOf(ones), condition,
                        /*addThenBlock=*/true, /*addElseBlock=*/!op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    builder.setInsertionPointToStart(&to.front());
    emit(from.front());
    ValueRange yielded = from.front().getTerminator()->getOperands();
    handOn(yielded, op.getResults());
    Values all = onesOf(yielded, op.getResults());
    scf::YieldOp::create(builder, op.getLoc(), all);
  }
  for (auto [old, result] : llvm::zip(ones, branch.getResults()))
    setOne(old, result);
}

Value RegionCutter::hasAny(Value lanes) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, lanes, integer(0, 32));
}

/// Runs the code with those lanes alone, if there are any.
void RegionCutter::emitUnder(Value lanes, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, loc, hasAny(lanes), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  llvm::SaveAndRestore here(mask, lanes);
  llvm::SaveAndRestore whole(isWhole, false);
  body();
}

void RegionCutter::emitSplitIf(scf::IfOp op) {
  keepDivergent(op.getResults(), /*allDiffer=*/true);
  Value then = ballot(op.getCondition());
  Value others = compute<arith::XOrIOp>(mask, then);
  const std::array<Value, 2> masks{then, others};
  for (auto [region, lanes] : llvm::zip(op->getRegions(), masks))
    if (!region.empty())
      emitUnder(lanes, [&, block = &region.front()] {
        emit(*block);
        handOn(block->getTerminator()->getOperands(), op.getResults());
      });
}

/// A loop of the lanes that are here: each round with those that stayed for it.
void RegionCutter::emitRounds(Location at, llvm::function_ref<Value()> staying,
                              llvm::function_ref<void()> body) {
  auto rounds = scf::WhileOp::create(builder, at, mask.getType(), mask);
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&rounds.getBefore(), {}, mask.getType(), loc);
  Block *after = builder.createBlock(&rounds.getAfter(), {}, mask.getType(), loc);
  llvm::SaveAndRestore here(mask, Value(before->getArgument(0)));
  llvm::SaveAndRestore whole(isWhole, false);
  builder.setInsertionPointToEnd(before);
  Value left = staying();
  scf::ConditionOp::create(builder, loc, hasAny(left), left);

  mask = after->getArgument(0);
  builder.setInsertionPointToEnd(after);
  body();
  scf::YieldOp::create(builder, loc, mask);
}

//===-- for --===//

void RegionCutter::emitFor(scf::ForOp op) {
  Value from = oneIfUniform(op.getLowerBound()), to = oneIfUniform(op.getUpperBound());
  Value step = oneIfUniform(op.getStep());
  if (!from || !to || !step)
    return emitSplitFor(op);
  ValueRange arguments = op.getRegionIterArgs();
  Values ones = keepDivergent(arguments, /*allDiffer=*/false);
  handOn(op.getInitArgs(), arguments);
  auto loop =
      scf::ForOp::create(builder, op.getLoc(), from, to, step, onesOf(op.getInitArgs(), arguments),
                         /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(builder);
  if (ones.empty())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());
  setOne(op.getInductionVar(), loop.getInductionVar());
  for (auto [old, argument] : llvm::zip(ones, loop.getRegionIterArgs()))
    setOne(old, argument);
  emit(*op.getBody());
  ValueRange yielded = op.getBody()->getTerminator()->getOperands();
  Values all = onesOf(yielded, arguments);
  handOn(yielded, arguments);
  scf::YieldOp::create(builder, op.getLoc(), all);

  unsigned number = 0;
  for (auto [argument, result] : llvm::zip(arguments, op.getResults())) {
    auto &kept = (inWarp ? warp : group).kept;
    if (Value place = kept.lookup(argument))
      kept[result] = place;
    else
      setOne(result, loop.getResult(number++));
  }
}

// Each lane counts for itself; a lane whose range has ended waits.
void RegionCutter::emitSplitFor(scf::ForOp op) {
  SmallVector<Value> carried{op.getInductionVar()};
  llvm::append_range(carried, op.getRegionIterArgs());
  SmallVector<Value> inits{op.getLowerBound()};
  llvm::append_range(inits, op.getInitArgs());
  keepDivergent(carried, /*allDiffer=*/true);
  handOn(inits, carried);
  for (auto [argument, result] : llvm::zip(op.getRegionIterArgs(), op.getResults()))
    warp.kept[result] = warp.kept.lookup(argument);

  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  auto staying = [&] {
    return ballot([&](Item &item) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, use(op.getInductionVar(), item),
                                   use(op.getUpperBound(), item));
    });
  };
  emitRounds(op.getLoc(), staying, [&] {
    emit(*op.getBody());
    handOn(op.getBody()->getTerminator()->getOperands(), op.getRegionIterArgs());
    forEach([&](Item &item) {
      Value next = compute<arith::AddIOp>(use(op.getInductionVar(), item), use(op.getStep(), item));
      store(next, warp.kept.lookup(op.getInductionVar()), item);
    });
  });
}

//===-- while --===//

void RegionCutter::emitWhile(scf::WhileOp op) {
  if (uniformity.condition(op))
    return emitSplitWhile(op);
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  Values enteringOnes = keepDivergent(entering, /*allDiffer=*/false);
  Values stayingOnes = keepDivergent(staying, /*allDiffer=*/false);
  auto &kept = (inWarp ? warp : group).kept;
  for (auto [argument, result] : llvm::zip(staying, op.getResults()))
    if (Value place = kept.lookup(argument))
      kept[result] = place;
  handOn(op.getInits(), entering);
  auto round = scf::WhileOp::create(builder, op.getLoc(), typesOf(stayingOnes),
                                    onesOf(op.getInits(), entering));
  SmallVector<Location> locations(std::max(entering.size(), staying.size()), loc);
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&round.getBefore(), {}, typesOf(enteringOnes),
                                      ArrayRef(locations).take_front(enteringOnes.size()));
  Block *after = builder.createBlock(&round.getAfter(), {}, typesOf(stayingOnes),
                                     ArrayRef(locations).take_front(stayingOnes.size()));
  for (auto [old, argument] : llvm::zip(enteringOnes, before->getArguments()))
    setOne(old, argument);
  for (auto [old, argument] : llvm::zip(stayingOnes, after->getArguments()))
    setOne(old, argument);

  builder.setInsertionPointToEnd(before);
  emit(*op.getBeforeBody());
  scf::ConditionOp condition = op.getConditionOp();
  Value goesOn = one(condition.getCondition());
  Values passed = onesOf(condition.getArgs(), staying);
  handOn(condition.getArgs(), staying);
  scf::ConditionOp::create(builder, loc, goesOn, passed);

  builder.setInsertionPointToEnd(after);
  emit(*op.getAfterBody());
  ValueRange yielded = op.getYieldOp().getOperands();
  Values next = onesOf(yielded, entering);
  handOn(yielded, entering);
  scf::YieldOp::create(builder, loc, next);

  unsigned number = 0;
  for (auto [argument, result] : llvm::zip(staying, op.getResults()))
    if (!kept.contains(argument))
      setOne(result, round.getResult(number++));
}

// A lane that leaves keeps what it handed on last.
void RegionCutter::emitSplitWhile(scf::WhileOp op) {
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  keepDivergent(entering, /*allDiffer=*/true);
  keepDivergent(staying, /*allDiffer=*/true);
  for (auto [argument, result] : llvm::zip(staying, op.getResults()))
    warp.kept[result] = warp.kept.lookup(argument);
  handOn(op.getInits(), entering);

  auto judge = [&] {
    emit(*op.getBeforeBody());
    scf::ConditionOp condition = op.getConditionOp();
    Value left = ballot(condition.getCondition());
    handOn(condition.getArgs(), staying);
    return left;
  };
  emitRounds(op.getLoc(), judge, [&] {
    emit(*op.getAfterBody());
    handOn(op.getYieldOp().getOperands(), entering);
  });
}

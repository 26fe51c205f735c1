// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/RangeLoop.h"
#include "mir/transforms/Invariants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace spl::mir {

using arith::CmpIPredicate;

static Value constantLike(OpBuilder &builder, Location location, Value value, const APInt &number) {
  return arith::ConstantOp::create(builder, location,
                                   builder.getIntegerAttr(value.getType(), number));
}

/// Whether the value is one more than the argument.
static bool isNext(Value value, Value argument) {
  auto next = value.getDefiningOp<arith::AddIOp>();
  return next && next.getLhs() == argument && matchPattern(next.getRhs(), m_One());
}

/// Whether the value is a constant once the loops around it are unrolled.
static bool isFixed(Value value, unsigned depth = 8) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && isFixed(loop.getLowerBound()) &&
           isFixed(loop.getUpperBound());
  }
  Operation *op = value.getDefiningOp();
  return matchPattern(op, m_Constant()) ||
         (depth != 0 && isa<arith::ArithDialect>(op->getDialect()) &&
          llvm::all_of(op->getOperands(), [&](Value of) { return isFixed(of, depth - 1); }));
}

/// The size that spl-narrow-distances made narrow, or the size itself.
static Value widened(Value size) {
  auto narrow = size.getDefiningOp<arith::TruncIOp>();
  if (!narrow)
    return size;
  auto limited = narrow.getIn().getDefiningOp<arith::MinUIOp>();
  return limited && matchPattern(limited.getRhs(), m_Constant()) ? limited.getLhs()
                                                                 : narrow.getIn();
}

bool RangeLoop::hasFixedBounds() const { return isFixed(first) && isFixed(bound->get()); }

std::optional<RangeLoop> RangeLoop::match(Operation *loop) {
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    if (!matchPattern(counted.getStep(), m_One()))
      return std::nullopt;
    RangeLoop result(Form::For, loop, cast<BlockArgument>(counted.getInductionVar()),
                     counted.getLowerBound(), &counted.getUpperBoundMutable());
    result.isUnsigned = counted.getUnsignedCmp();
    return result;
  }
  auto conditional = dyn_cast<scf::WhileOp>(loop);
  return conditional ? matchWhile(conditional) : std::nullopt;
}

std::optional<RangeLoop> RangeLoop::matchWhile(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  ValueRange before = loop.getBeforeArguments(), after = loop.getAfterArguments();
  if (before.empty() || !llvm::equal(condition.getArgs(), before) ||
      !llvm::all_of(loop.getBeforeBody()->without_terminator(),
                    [](Operation &op) { return isPure(&op); }))
    return std::nullopt;
  Value continues = condition.getCondition(), running;
  if (auto both = continues.getDefiningOp<arith::AndIOp>()) {
    running = both.getLhs();
    continues = both.getRhs();
  }
  ValueRange next = loop.getYieldOp().getOperands();
  auto make = [&](Form form, OpOperand &bound) {
    RangeLoop result(form, loop, cast<BlockArgument>(after[0]), loop.getInits()[0], &bound);
    result.running = running;
    if (form != Form::Below)
      result.some = &loop.getInitsMutable()[1];
    return result;
  };
  if (auto compare = continues.getDefiningOp<arith::CmpIOp>()) {
    if (compare.getLhs() != before[0] || !isOutside(loop, compare.getRhs()) ||
        (compare.getPredicate() != CmpIPredicate::slt &&
         compare.getPredicate() != CmpIPredicate::ult) ||
        !isNext(next[0], after[0]))
      return std::nullopt;
    RangeLoop result = make(Form::Below, compare.getRhsMutable());
    result.isUnsigned = compare.getPredicate() == CmpIPredicate::ult;
    return result;
  }
  if (before.size() < 2 || continues != before[1])
    return std::nullopt;
  auto again = next[1].getDefiningOp<arith::CmpIOp>();
  if (!again || !isOutside(loop, again.getRhs()))
    return std::nullopt;
  if (again.getPredicate() == CmpIPredicate::ne && again.getLhs() == after[0] &&
      isNext(next[0], after[0]))
    return make(Form::Rounds, again.getRhsMutable());

  const Value size = again.getRhs();
  auto sum = next[0].getDefiningOp<arith::AddIOp>();
  auto left = before.size() < 3 ? arith::SubIOp() : next[2].getDefiningOp<arith::SubIOp>();
  if (again.getPredicate() != CmpIPredicate::uge || !left || again.getLhs() != after[2] ||
      left.getLhs() != after[2] || left.getRhs() != size || !sum || sum.getLhs() != after[0] ||
      !isOutside(loop, sum.getRhs()))
    return std::nullopt;
  RangeLoop result = make(Form::Distance, loop.getInitsMutable()[2]);
  result.unknownStep = {sum.getRhs(), size, {}, loop.getInits()[1], loop.getInits()[2]};
  const Value wide = widened(size);
  if (size == sum.getRhs() || wide == sum.getRhs())
    return result;
  auto choice = wide.getDefiningOp<arith::SelectOp>();
  if (!choice || choice.getTrueValue() != sum.getRhs())
    return std::nullopt;
  result.unknownStep->isUp = choice.getCondition();
  return result;
}

Value RangeLoop::rounds(OpBuilder &builder) const {
  const Location location = loop->getLoc();
  const unsigned bits = first.getType().getIntOrFloatBitWidth();
  const Value last = boundOfRange();
  if (form != Form::Rounds) {
    const Value end = isUnsigned
                          ? arith::MaxUIOp::create(builder, location, first, last).getResult()
                          : arith::MaxSIOp::create(builder, location, first, last).getResult();
    return arith::SubIOp::create(builder, location, end, first);
  }
  const Value distance = arith::SubIOp::create(builder, location, last, first);
  const Value most = constantLike(builder, location, first, APInt::getMaxValue(bits) - 1);
  const Value count = arith::AddIOp::create(
      builder, location, arith::MinUIOp::create(builder, location, distance, most),
      constantLike(builder, location, first, APInt(bits, 1)));
  return arith::SelectOp::create(builder, location, some->get(), count,
                                 constantLike(builder, location, first, APInt(bits, 0)));
}

Value RangeLoop::endAfter(OpBuilder &builder, Value rounds, Value all) const {
  const Location location = loop->getLoc();
  const Value isLess = arith::CmpIOp::create(builder, location, CmpIPredicate::ult, rounds, all);
  bound->set(arith::AddIOp::create(builder, location, first, rounds));
  return isLess;
}

Value RangeLoop::lastRound(OpBuilder &builder) const {
  return arith::SubIOp::create(builder, loop->getLoc(), boundOfRange(), first);
}

Value RangeLoop::endAtRound(OpBuilder &builder, Value hasRound, Value last, Value all) const {
  const Location location = loop->getLoc();
  const Value isLess = arith::CmpIOp::create(builder, location, CmpIPredicate::ult, last, all);
  const Value fails = arith::SelectOp::create(builder, location, hasRound, isLess, some->get());
  bound->set(arith::AddIOp::create(builder, location, first, last));
  some->set(hasRound);
  return fails;
}

Value RangeLoop::endAt(OpBuilder &builder, Value hasRound, Value distance) const {
  const Location location = loop->getLoc();
  const Stride &stride = *unknownStep;
  const Value less = arith::SubIOp::create(builder, location, stride.distance, distance);
  some->set(hasRound);
  bound->set(distance);
  builder.setInsertionPointAfter(loop);
  // The loop carries what is left after a step, which is negative after the last one.
  const Value left = arith::AddIOp::create(builder, location, loop->getResult(2), stride.size);
  const Value more =
      arith::CmpIOp::create(builder, location, CmpIPredicate::uge,
                            arith::AddIOp::create(builder, location, left, less), stride.size);
  return arith::SelectOp::create(builder, location, hasRound, more, stride.hasRound);
}

Value RangeLoop::reachedEnd(OpBuilder &builder) const {
  if (!running)
    return {};
  auto conditional = cast<scf::WhileOp>(loop);
  IRMapping mapping;
  mapping.map(conditional.getBeforeArguments(), conditional.getResults());
  if (!isa<BlockArgument>(running))
    for (Operation &op : conditional.getBeforeBody()->without_terminator())
      builder.clone(op, mapping);
  return mapping.lookupOrDefault(running);
}

SmallVector<Value> RangeLoop::firstArguments() const {
  if (auto conditional = dyn_cast<scf::WhileOp>(loop))
    return SmallVector<Value>(conditional.getInits());
  SmallVector<Value> arguments{first};
  llvm::append_range(arguments, cast<scf::ForOp>(loop).getInitArgs());
  return arguments;
}

void RangeLoop::startWith(ValueRange arguments) const {
  if (auto conditional = dyn_cast<scf::WhileOp>(loop))
    return conditional.getInitsMutable().assign(arguments);
  auto counted = cast<scf::ForOp>(loop);
  counted.getLowerBoundMutable().assign(arguments.front());
  counted.getInitArgsMutable().assign(arguments.drop_front());
}

SmallVector<Value> RangeLoop::nextArguments() const {
  if (form != Form::For)
    return SmallVector<Value>(loop->getResults());
  SmallVector<Value> arguments{boundOfRange()};
  llvm::append_range(arguments, loop->getResults());
  return arguments;
}

} // namespace spl::mir

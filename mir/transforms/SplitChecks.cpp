// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-split-checks: see GpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RangeLoop.h"
#include "mir/transforms/Versions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_SPLITCHECKS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;

namespace {

/// The maximum number of operations of a body up to its last check that is split off.
constexpr size_t maxOperations = 64;
/// The maximum depth of the expressions of a condition.
constexpr unsigned maxDepth = 8;

/// A constant, or the difference of two, as the step of a reversed range is.
std::optional<APInt> constantOf(Value value) {
  APInt number, other;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number;
  auto difference = value.getDefiningOp<arith::SubIOp>();
  if (difference && matchPattern(difference.getLhs(), m_ConstantInt(&number)) &&
      matchPattern(difference.getRhs(), m_ConstantInt(&other)))
    return number - other;
  return std::nullopt;
}

/// The values of a loop's body that are sums of a multiple of its variable and of what is the same
/// in all rounds.
class Sums {
public:
  explicit Sums(const RangeLoop &loop) : loop(loop) {}

  bool isInvariant(Value value) const { return spl::mir::isInvariant(loop.op(), value, maxDepth); }

  /// What the value changes by if the loop's variable changes by one.
  std::optional<APInt> factorOf(Value value, unsigned depth = maxDepth) const {
    const unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (value == loop.variableInBody())
      return APInt(bits, 1);
    if (isInvariant(value))
      return APInt(bits, 0);
    Operation *op = depth == 0 ? nullptr : value.getDefiningOp();
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
      std::optional<APInt> left = factorOf(op->getOperand(0), depth - 1),
                           right = factorOf(op->getOperand(1), depth - 1);
      if (!left || !right)
        return std::nullopt;
      return isa<arith::AddIOp>(op) ? *left + *right : *left - *right;
    }
    if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
      if (std::optional<APInt> constant = constantOf(product.getRhs()))
        if (std::optional<APInt> of = factorOf(product.getLhs(), depth - 1))
          return *of * *constant;
    // The variable itself does not wrap, as a number with the sign of the range.
    if (!loop.stride() && isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) &&
        op->getOperand(0) == loop.variableInBody() &&
        isa<arith::ExtUIOp>(op) == loop.isUnsignedRange())
      return APInt(bits, 1);
    return std::nullopt;
  }

  const RangeLoop &loop;
};

/// A check at the top of a loop's body that fails in all rounds or in none, or compares a sum with
/// a length.
struct SplitCheck {
  explicit SplitCheck(CheckOp check) : check(check), condition(check.getCondition()) {}

  CheckOp check;
  Value condition;
  Value index;           ///< null if the condition is the same in all rounds
  APInt factor;          ///< what the index changes by if the loop's variable changes by one
  Value extent;          ///< at least as wide as the index
  bool isSigned = false; ///< whether the index is extended with its sign, where it is narrower

  /// Returns nothing for any other check.
  static std::optional<SplitCheck> match(CheckOp check, const Sums &sums);
};

/// Whether the value is an extent, a constant that is not negative, or a choice of such values.
bool isLength(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return !number.isNegative();
  if (auto choice = value.getDefiningOp<arith::SelectOp>())
    return isLength(choice.getTrueValue()) && isLength(choice.getFalseValue());
  return isa_and_nonnull<ExtentOp>(value.getDefiningOp());
}

std::optional<SplitCheck> SplitCheck::match(CheckOp check, const Sums &sums) {
  SplitCheck result(check);
  if (sums.isInvariant(check.getCondition()))
    return result;
  auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != CmpIPredicate::ult ||
      !sums.isInvariant(compare.getRhs()) || !isLength(compare.getRhs()))
    return std::nullopt;
  result.index = compare.getLhs();
  result.extent = compare.getRhs();
  // The narrower index is cheaper to compute with, and may wrap.
  if (Operation *extension = result.index.getDefiningOp();
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension) &&
      sums.factorOf(extension->getOperand(0))) {
    result.index = extension->getOperand(0);
    result.isSigned = isa<arith::ExtSIOp>(extension);
  }
  const std::optional<APInt> factor = sums.factorOf(result.index);
  // No step may lead from an index below the length past all those that are not. These are half of
  // the numbers of the type, but may be a single one if the index is extended without its sign.
  const bool areMany = result.index.getType() == result.extent.getType() || result.isSigned;
  if (!factor || factor->isZero() || factor->isMinSignedValue() ||
      !(areMany || factor->abs().isOne()))
    return std::nullopt;
  // A step that is known only at run time may be longer than that, but the variable does not wrap.
  if (sums.loop.stride() && (!areMany || result.index != sums.loop.variableInBody()))
    return std::nullopt;
  result.factor = *factor;
  return result;
}

/// Emits the part of a loop's checks that is in front of it.
class Front {
public:
  Front(const RangeLoop &loop) : builder(loop.op()), loop(loop), location(loop.op()->getLoc()) {
    first.map(loop.variableInBody(), loop.firstValue());
  }

  OpBuilder builder;

  /// Ends the range before the first round in which one of the checks fails, and emits whether
  /// there is one. The builder is then behind the loop.
  Value end(ArrayRef<SplitCheck> checks) {
    if (loop.stride())
      return endOfStride(checks);
    return loop.hasLastValue() ? endOfLast(checks) : endOfCount(checks);
  }

private:
  Value number(Type type, const APInt &value) {
    return arith::ConstantOp::create(builder, location, builder.getIntegerAttr(type, value));
  }
  Value all(Type type) { return number(type, APInt::getAllOnes(type.getIntOrFloatBitWidth())); }
  Value zero(Type type) { return number(type, APInt::getZero(type.getIntOrFloatBitWidth())); }

  /// The value in the first round. The loop may have none, so a sum may wrap here that does not
  /// wrap in any round.
  Value inFirstRound(Value value) {
    if (first.contains(value))
      return first.lookup(value);
    if (isOutside(loop.op(), value))
      return value;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      first.map(operand, inFirstRound(operand));
    Operation *copy = builder.clone(*op, first);
    if (auto sum = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy))
      copy->setAttr(sum.getIntegerOverflowAttrName(),
                    arith::IntegerOverflowFlagsAttr::get(copy->getContext(),
                                                         arith::IntegerOverflowFlags::none));
    return first.lookup(value);
  }

  /// What a check allows, in the loop's order.
  struct Allowed {
    Value first;    ///< whether it holds in the first round
    Value always;   ///< whether it holds in all rounds, or null
    Value distance; ///< by how much the index may change until it does not, or null
  };

  Allowed allowedBy(const SplitCheck &check) {
    if (!check.index)
      return {inFirstRound(check.condition), {}, {}};
    const Value start = inFirstRound(check.index);
    Value length = inFirstRound(check.extent), always;
    const Type type = start.getType();
    const unsigned bits = type.getIntOrFloatBitWidth();
    if (const Type wide = length.getType(); wide != type) {
      const unsigned ofLength = wide.getIntOrFloatBitWidth();
      if (check.isSigned) // a negative index is a large unsigned number
        length = arith::MinUIOp::create(builder, location, length,
                                        number(wide, APInt::getOneBitSet(ofLength, bits - 1)));
      else
        always = arith::CmpIOp::create(builder, location, CmpIPredicate::ugt, length,
                                       number(wide, APInt::getMaxValue(bits).zext(ofLength)));
      length = arith::TruncIOp::create(builder, location, type, length);
    }
    const Value first = arith::CmpIOp::create(builder, location, CmpIPredicate::ult, start, length);
    if (check.factor.isNegative())
      return {first, always, start};
    Value distance = arith::SubIOp::create(
        builder, location,
        arith::SubIOp::create(builder, location, length, number(type, APInt(bits, 1))), start);
    if (loop.stride() && loop.stride()->isUp)
      distance = arith::SelectOp::create(builder, location, loop.stride()->isUp, distance, start);
    return {first, always, distance};
  }

  /// The number of rounds until the check fails, or more than the loop has.
  Value roundsOf(const SplitCheck &check) {
    const Allowed allowed = allowedBy(check);
    const Type type = (check.index ? check.index : loop.firstValue()).getType();
    Value some = all(type);
    if (allowed.distance) {
      const Value more = arith::DivUIOp::create(builder, location, allowed.distance,
                                                number(type, check.factor.abs()));
      some = arith::AddIOp::create(builder, location, more,
                                   number(type, APInt(type.getIntOrFloatBitWidth(), 1)));
    }
    Value rounds = arith::SelectOp::create(builder, location, allowed.first, some, zero(type));
    if (allowed.always)
      rounds = arith::SelectOp::create(builder, location, allowed.always, all(type), rounds);
    return rounds;
  }

  /// The smaller one of a number of the range's type and one that may be wider.
  Value smaller(Value rounds, Value own) {
    const Type type = rounds.getType();
    if (own.getType() == type)
      return arith::MinUIOp::create(builder, location, rounds, own);
    const Value wide = arith::ExtUIOp::create(builder, location, own.getType(), rounds);
    return arith::TruncIOp::create(builder, location, type,
                                   arith::MinUIOp::create(builder, location, wide, own));
  }

  Value endOfCount(ArrayRef<SplitCheck> checks) {
    const Value all = loop.rounds(builder);
    Value rounds = all;
    for (const SplitCheck &check : checks)
      rounds = smaller(rounds, roundsOf(check));
    const Value fails = loop.endAfter(builder, rounds, all);
    builder.setInsertionPointAfter(loop.op());
    return fails;
  }

  /// The number of rounds may not fit in the type, but the number of the last round does.
  Value endOfLast(ArrayRef<SplitCheck> checks) {
    const Value all = loop.lastRound(builder);
    Value hasRound = loop.hasRound(), last = all;
    for (const SplitCheck &check : checks) {
      Allowed allowed = allowedBy(check);
      if (allowed.always)
        allowed.first = arith::OrIOp::create(builder, location, allowed.first, allowed.always);
      hasRound = arith::AndIOp::create(builder, location, hasRound, allowed.first);
      if (!allowed.distance)
        continue;
      const Type type = allowed.distance.getType();
      Value own = arith::DivUIOp::create(builder, location, allowed.distance,
                                         number(type, check.factor.abs()));
      if (allowed.always)
        own = arith::SelectOp::create(builder, location, allowed.always, this->all(type), own);
      last = smaller(last, own);
    }
    const Value fails = loop.endAtRound(builder, hasRound, last, all);
    builder.setInsertionPointAfter(loop.op());
    return fails;
  }

  Value endOfStride(ArrayRef<SplitCheck> checks) {
    Value hasRound = loop.stride()->hasRound, distance = loop.stride()->distance;
    for (const SplitCheck &check : checks) {
      const Allowed allowed = allowedBy(check);
      hasRound = arith::AndIOp::create(builder, location, hasRound, allowed.first);
      if (allowed.distance)
        distance = arith::MinUIOp::create(builder, location, distance, allowed.distance);
    }
    return loop.endAt(builder, hasRound, distance);
  }

  const RangeLoop &loop;
  Location location;
  IRMapping first; ///< values of the body, and those that they have in the first round
};

bool synchronises(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> found;
  if (effects)
    effects.getEffects(found);
  return llvm::any_of(found, [](const MemoryEffects::EffectInstance &effect) {
    return effect.getResource() == ConvergenceResource::get();
  });
}

/// Whether the loop is an innermost one without synchronisation. LLVM unrolls a loop with a fixed
/// range, and the pass would make the range unknown. A loop whose step is known only at run time
/// becomes faster only if it runs in batches (spl-batch-loops), so it must not write.
bool isCandidate(const RangeLoop &loop) {
  auto other = [&](Operation *op) {
    const bool isOther = isa<LoopLikeOpInterface>(op) || synchronises(op) ||
                         (loop.stride() && !isa<LoadOp, CheckOp, scf::IfOp>(op) && !isPure(op));
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  };
  return !loop.hasFixedBounds() && !loop.body().walk(other).wasInterrupted();
}

/// The checks of the loop that can be split off, in their order. If none is of the variable, LLVM
/// moves them out of the loop itself.
SmallVector<SplitCheck> findChecks(const RangeLoop &loop) {
  const Sums sums(loop);
  SmallVector<SplitCheck> checks;
  for (CheckOp check : loop.body().getOps<CheckOp>())
    if (std::optional<SplitCheck> split = SplitCheck::match(check, sums))
      checks.push_back(*split);
  if (llvm::none_of(checks, [](const SplitCheck &check) { return check.index; }))
    checks.clear();
  return checks;
}

/// The number of operations of the body up to the check.
size_t sizeUpTo(const RangeLoop &loop, CheckOp last) {
  size_t size = 0;
  for (Operation &op : loop.body()) {
    op.walk([&](Operation *) { ++size; });
    if (&op == last)
      break;
  }
  return size;
}

/// Emits the operations of the round in which a check fails, up to the last check that is split
/// off.
void emitFault(OpBuilder &builder, const RangeLoop &loop, CheckOp last) {
  IRMapping mapping;
  mapping.map(loop.body().getArguments(), loop.nextArguments());
  for (Operation &op : loop.body()) {
    Operation *copy = builder.clone(op, mapping);
    if (&op != last)
      continue;
    // If no other check has failed, this one does.
    builder.setInsertionPoint(copy);
    cast<CheckOp>(copy).getConditionMutable().assign(
        arith::ConstantOp::create(builder, copy->getLoc(), builder.getBoolAttr(false)));
    return;
  }
}

void eraseWithOperands(CheckOp check) {
  SmallVector<Operation *> unused{check};
  while (!unused.empty()) {
    Operation *op = unused.pop_back_val();
    llvm::SmallSetVector<Operation *, 4> operands;
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        operands.insert(definition);
    op->erase();
    llvm::copy_if(operands, std::back_inserter(unused), isOpTriviallyDead);
  }
}

void split(const RangeLoop &loop, ArrayRef<SplitCheck> checks) {
  Front front(loop);
  OpBuilder &builder = front.builder;
  const Location location = loop.op()->getLoc();
  Value fails = front.end(checks);
  if (const Value reached = loop.reachedEnd(builder))
    fails = arith::AndIOp::create(builder, location, reached, fails);
  auto fault = scf::IfOp::create(builder, location, fails, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(fault.thenBlock());
  emitFault(builder, loop, checks.back().check);
  for (const SplitCheck &check : checks)
    eraseWithOperands(check.check);
}

struct SplitChecksPass : spl::mir::impl::SplitChecksBase<SplitChecksPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<RangeLoop> loops;
    getOperation()->walk([&](Operation *op) {
      if (std::optional<RangeLoop> loop = RangeLoop::match(op);
          loop && isCandidate(*loop) && !isInCold(op))
        loops.push_back(*loop);
    });
    for (const RangeLoop &loop : loops)
      if (const SmallVector<SplitCheck> checks = findChecks(loop);
          !checks.empty() && sizeUpTo(loop, checks.back().check) <= maxOperations)
        split(loop, checks);
  }
};

} // namespace

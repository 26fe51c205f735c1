// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-limit-loops: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/JoinConditions.h"
#include "mir/transforms/LoopGuards.h"
#include "mir/transforms/LoopLines.h"
#include "mir/transforms/NarrowRows.h"
#include "mir/transforms/NonNegative.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/SingleItems.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"

namespace spl::mir {
#define GEN_PASS_DEF_LIMITLOOPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;

namespace {

/// Whether the loop carries no values, and its variable is not negative and increases by one.
bool countsUp(scf::ForOp loop) {
  APInt lower, step;
  return loop.getInitArgs().empty() && !loop.getUnsignedCmp() &&
         loop.getInductionVar().getType().isInteger(64) &&
         matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) && !lower.isNegative() &&
         matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isOne();
}

/// The most work-items of a row that gets a copy for the case that all of them run. Most tiles are
/// whole.
constexpr int64_t maxNarrow = 32;

/// Whether the loop is a row of few work-items, whose number is a constant.
bool isNarrowRow(scf::ForOp loop) {
  APInt end;
  return loop->hasAttr(SplDialect::workItemsAttr) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) && end.sle(maxNarrow);
}

/// With these limits, factor * variable + offset is less than 2^61, and nothing wraps.
constexpr int64_t largestFactor = int64_t(1) << 28, largestVariable = int64_t(1) << 31,
                  largestOffset = int64_t(1) << 60, largestBound = int64_t(1) << 61;

/// Removes from a loop the iterations in which its guard does nothing.
class Limiter {
public:
  Limiter(scf::ForOp loop, LoopGuard guard)
      : loop(loop), guard(guard), builder(loop), loc(guard.op.getLoc()) {}

  /// Returns whether the loop changed.
  bool run();
  /// Limits a loop over work-items by comparisons of variable + offset, where that sum may wrap. If
  /// it does, a copy of the loop runs, with the guard. Returns whether the loop changed.
  bool runUnlessWraps();
  /// Leaves out iterations after the last one in which a comparison of factor * variable + offset
  /// holds, as in a step of a tree of sums. The guard stays. Returns whether the loop changed.
  bool shorten();

private:
  /// Takes the guard's condition apart: each part limits the loop, or is still needed.
  void split();
  /// Returns whether the loop's bounds now imply that the comparison has this truth value.
  bool limitBy(arith::CmpIOp compare, bool truth);
  /// The offset in variable + offset, in arithmetic that wraps. Emits it.
  std::optional<Value> wrappingOffset(Value value);
  /// Limits the loop to the iterations in which variable + offset has this relation to the bound.
  void limit(CmpIPredicate predicate, Value offset, Value bound);
  /// Ends the loop where \p tested, if it increases with the variable, is at least \p bound.
  bool shortenTo(Value tested, Value bound);
  /// Emits least <= value <= most.
  Value isWithin(Value value, int64_t least, int64_t most);
  /// Emits the value, or largestBound with its sign if its magnitude is larger.
  Value clamped(Value bound);
  /// The difference max(bound, least) - offset.
  Value difference(Value bound, int64_t least, Value offset);
  /// Creates an `if` whose condition is the conjunction.
  scf::IfOp ifAll(ArrayRef<GuardPart> conditions);
  /// Replaces the guard by what it does under the conditions that are still needed.
  void replaceGuard();

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  template <typename Op> Value make(Value a, Value b) { return Op::create(builder, loc, a, b); }

  scf::ForOp loop;
  LoopGuard guard;
  OpBuilder builder;
  Location loc;
  bool limited = false;
  SmallVector<GuardPart> invariant, varying; ///< the parts that are still needed
};

/// The offset in variable + offset. The sum does not wrap, and the offset is not negative. The
/// offset is a null value if there is none.
std::optional<Value> offsetFrom(Value variable, Value value) {
  if (value == variable)
    return Value();
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum || !bitEnumContainsAny(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
    return std::nullopt;
  const Value offset = sum.getLhs() == variable ? sum.getRhs() : sum.getLhs();
  if ((sum.getLhs() == variable) == (sum.getRhs() == variable) || !isNonNegative(offset))
    return std::nullopt;
  return offset;
}

void Limiter::split() {
  for (const GuardPart &part : guard.parts()) {
    auto compare = part.first.getDefiningOp<arith::CmpIOp>();
    if (loop.isDefinedOutsideOfLoop(part.first))
      invariant.push_back(part);
    else if (compare && limitBy(compare, part.second))
      limited = true;
    else
      varying.push_back(part);
  }
}

std::optional<Value> Limiter::wrappingOffset(Value value) {
  if (value == loop.getInductionVar())
    return constant(0);
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op) || op->getBlock() != loop.getBody())
    return std::nullopt;
  Value inner = op->getOperand(0), other = op->getOperand(1);
  if (isa<arith::AddIOp>(op) && loop.isDefinedOutsideOfLoop(inner))
    std::swap(inner, other);
  const std::optional<Value> offset =
      loop.isDefinedOutsideOfLoop(other) ? wrappingOffset(inner) : std::nullopt;
  if (!offset)
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? make<arith::AddIOp>(*offset, other)
                                : make<arith::SubIOp>(*offset, other);
}

bool Limiter::limitBy(arith::CmpIOp compare, bool truth) {
  const auto [predicate, tested, bound] = comparisonOf(compare, truth, loop);
  std::optional<Value> offset = offsetFrom(loop.getInductionVar(), tested);
  if (!offset && predicate == CmpIPredicate::eq && loop.isDefinedOutsideOfLoop(bound)) {
    // The difference is exact also if it wraps.
    offset = wrappingOffset(tested);
    if (offset) {
      limit(predicate, Value(), make<arith::SubIOp>(bound, *offset));
      return true;
    }
  }
  if (!offset || !loop.isDefinedOutsideOfLoop(bound) ||
      (*offset && !loop.isDefinedOutsideOfLoop(*offset)))
    return false;
  switch (predicate) {
  case CmpIPredicate::slt:
  case CmpIPredicate::sle:
  case CmpIPredicate::sgt:
  case CmpIPredicate::sge:
  case CmpIPredicate::eq:
    limit(predicate, *offset, bound);
    return true;
  default:
    return false;
  }
}

Value Limiter::difference(Value bound, int64_t least, Value offset) {
  if (least < 0 || !isNonNegative(bound))
    bound = make<arith::MaxSIOp>(bound, constant(least));
  return offset ? make<arith::SubIOp>(bound, offset) : bound;
}

void Limiter::limit(CmpIPredicate predicate, Value offset, Value bound) {
  // The variable never is INT64_MAX, so a limit there needs no next number.
  auto after = [&](Value value) {
    return make<arith::AddIOp>(make<arith::MinSIOp>(value, constant(INT64_MAX - 1)), constant(1));
  };
  Value first, end;
  switch (predicate) {
  case CmpIPredicate::slt:
    end = difference(bound, 0, offset);
    break;
  case CmpIPredicate::sge:
    first = difference(bound, 0, offset);
    break;
  case CmpIPredicate::sle:
    end = after(difference(bound, -1, offset));
    break;
  case CmpIPredicate::sgt:
    first = after(difference(bound, -1, offset));
    break;
  default: // eq
    first = difference(bound, -1, offset);
    end = after(first);
    break;
  }
  if (first)
    loop.setLowerBound(make<arith::MaxSIOp>(loop.getLowerBound(), first));
  if (end)
    loop.setUpperBound(make<arith::MinSIOp>(loop.getUpperBound(), end));
}

scf::IfOp Limiter::ifAll(ArrayRef<GuardPart> conditions) {
  Value all;
  for (auto [condition, truth] : conditions) {
    if (!truth)
      condition = make<arith::XOrIOp>(
          condition, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    all = all ? make<arith::AndIOp>(all, condition) : condition;
  }
  return scf::IfOp::create(builder, loc, all, /*withElseRegion=*/false);
}

void Limiter::replaceGuard() {
  Block &block = guard.region().front();
  block.getTerminator()->erase();
  Block::iterator place = guard.op->getIterator();
  if (!varying.empty()) {
    builder.setInsertionPoint(guard.op);
    place = ifAll(varying).thenBlock()->getTerminator()->getIterator();
  }
  place->getBlock()->getOperations().splice(place, block.getOperations());
  guard.op.erase();
}

bool Limiter::run() {
  hoistInvariants(cast<LoopLikeOpInterface>(loop.getOperation()));
  builder.setInsertionPoint(loop);
  split();
  if (!limited && invariant.empty())
    return false;
  replaceGuard();
  if (invariant.empty())
    return true;
  builder.setInsertionPoint(loop);
  loop->moveBefore(ifAll(invariant).thenBlock()->getTerminator());
  return true;
}

/// The fewest iterations that are worth the division. LLVM unrolls short loops as they are.
constexpr int64_t shortestShortened = 16;

Value Limiter::isWithin(Value value, int64_t least, int64_t most) {
  auto compare = [&](CmpIPredicate predicate, int64_t limit) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, value, constant(limit));
  };
  return make<arith::AndIOp>(compare(CmpIPredicate::sge, least), compare(CmpIPredicate::sle, most));
}

Value Limiter::clamped(Value bound) {
  bound = make<arith::MinSIOp>(bound, constant(largestBound));
  return make<arith::MaxSIOp>(bound, constant(-largestBound));
}

bool Limiter::runUnlessWraps() {
  // A gang runs the guard of a narrow row with a mask. The tests in front would take longer.
  if (!loop->hasAttr(SplDialect::workItemsAttr) || isNarrowRow(loop))
    return false;
  SmallVector<GuardComparison> sums;
  for (const GuardPart &part : guard.parts()) {
    auto compare = part.first.getDefiningOp<arith::CmpIOp>();
    std::optional<GuardComparison> sum;
    if (compare && compare.getLhs().getType().isInteger(64))
      sum = comparisonOf(compare, part.second, loop);
    using enum CmpIPredicate;
    if (sum && llvm::is_contained({slt, sle, sgt, sge}, sum->predicate) &&
        loop.isDefinedOutsideOfLoop(sum->bound) && movesWithVariable(sum->tested, loop))
      sums.push_back(*sum);
    else
      varying.push_back(part);
  }
  if (sums.empty())
    return false;
  builder.setInsertionPoint(loop);
  Value fits = isWithin(loop.getUpperBound(), 0, largestVariable);
  SmallVector<Value> offsets;
  for (const GuardComparison &sum : sums) {
    offsets.push_back(*wrappingOffset(sum.tested));
    fits = make<arith::AndIOp>(fits, isWithin(offsets.back(), -largestOffset, largestOffset));
  }
  auto branch = scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.elseBlock());
  builder.clone(*loop)->removeDiscardableAttr(
      SplDialect::workItemsAttr); // no gangs: it seldom runs
  loop->moveBefore(branch.thenBlock()->getTerminator());
  builder.setInsertionPoint(loop);
  for (auto [sum, offset] : llvm::zip(sums, offsets)) {
    Value limit = make<arith::SubIOp>(clamped(sum.bound), offset);
    const bool isUpper = sum.predicate == CmpIPredicate::slt || sum.predicate == CmpIPredicate::sle;
    if (sum.predicate == CmpIPredicate::sle || sum.predicate == CmpIPredicate::sgt)
      limit = make<arith::AddIOp>(limit, constant(1));
    if (isUpper)
      loop.setUpperBound(make<arith::MinSIOp>(loop.getUpperBound(), limit));
    else
      loop.setLowerBound(make<arith::MaxSIOp>(loop.getLowerBound(), limit));
  }
  replaceGuard();
  return true;
}

bool Limiter::shortenTo(Value tested, Value bound) {
  const std::optional<Line> line = lineOf(tested, loop, builder);
  if (!line)
    return false;
  const auto [factor, offset] = *line;
  Value end = loop.getUpperBound();
  Value isLinear = make<arith::AndIOp>(isWithin(factor, 1, largestFactor),
                                       isWithin(offset, -largestOffset, largestOffset));
  isLinear = make<arith::AndIOp>(isLinear, isWithin(end, 0, largestVariable));
  Value left = make<arith::MaxSIOp>(make<arith::SubIOp>(clamped(bound), offset), constant(0));
  // The quotient is rounded up. A factor of 0 is one that is not used.
  Value divisor = make<arith::MaxSIOp>(factor, constant(1));
  left = make<arith::AddIOp>(left, make<arith::SubIOp>(divisor, constant(1)));
  Value last = make<arith::MinSIOp>(end, make<arith::DivUIOp>(left, divisor));
  loop.setUpperBound(arith::SelectOp::create(builder, loc, isLinear, last, end));
  return true;
}

bool Limiter::shorten() {
  APInt end;
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) && end.slt(shortestShortened))
    return false;
  builder.setInsertionPoint(loop);
  bool changed = false;
  for (const GuardPart &part : guard.parts()) {
    auto compare = part.first.getDefiningOp<arith::CmpIOp>();
    if (!compare || !compare.getLhs().getType().isInteger(64))
      continue;
    auto [predicate, tested, bound] = comparisonOf(compare, part.second, loop);
    if (!loop.isDefinedOutsideOfLoop(bound) || loop.isDefinedOutsideOfLoop(tested))
      continue;
    if (predicate == CmpIPredicate::slt && !movesWithVariable(tested, loop))
      changed |= shortenTo(tested, bound);
  }
  return changed;
}

/// Whether the loop should run only the iterations that the guard selects. The lanes of a warp stay
/// a gang, which runs the guard with a mask, unless the guard selects a single lane.
bool mayLimit(scf::ForOp loop, LoopGuard guard) {
  auto compare = guard.op.getCondition().getDefiningOp<arith::CmpIOp>();
  return !loop->hasAttr(SplDialect::warpAttr) ||
         (guard.truth && compare && compare.getPredicate() == CmpIPredicate::eq);
}

/// Limits the loop by its guards. Returns whether it changed.
bool limit(scf::ForOp loop) {
  bool changed = false;
  std::optional<LoopGuard> guard;
  while ((guard = guardOf(loop)) && mayLimit(loop, *guard) &&
         (Limiter(loop, *guard).run() || Limiter(loop, *guard).runUnlessWraps())) {
    loop->removeDiscardableAttr(SplDialect::warpAttr);
    changed = true;
  }
  if ((guard = guardOf(loop)) && !loop->hasAttr(SplDialect::warpAttr))
    changed |= Limiter(loop, *guard).shorten();
  return changed;
}

/// Whether minima, maxima, sums and differences of constants compute the value.
bool isConstant(Value value, unsigned depth = 6) {
  Operation *op = value.getDefiningOp();
  return op && depth != 0 && op->getNumRegions() == 0 && isPure(op) && !isa<IntrinsicOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isConstant(operand, depth - 1); });
}

/// Emits a copy of the limited loop with the old, constant bounds. It runs if the guard selects all
/// work-items. LLVM makes vectors of a row whose length is a constant.
void addWholeRow(scf::ForOp loop, Value lower, Value upper) {
  constexpr size_t maxOperations = 1000;
  size_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  // A row that a constant limits, as in a step of a tree, is never whole.
  const bool isLowerFixed = loop.getLowerBound() != lower && isConstant(loop.getLowerBound());
  if (operations > maxOperations || isLowerFixed || isConstant(loop.getUpperBound()))
    return;
  OpBuilder builder(loop);
  auto whole = cast<scf::ForOp>(builder.clone(*loop));
  whole.setLowerBound(lower);
  whole.setUpperBound(upper);
  runIfWhole(builder, loop, whole, lower, upper);
}

struct LimitLoopsPass : spl::mir::impl::LimitLoopsBase<LimitLoopsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      runOn(function);
  }

private:
  void runOn(FunctionOpInterface function) {
    bool changed = false;
    function.walk([&](scf::IfOp op) { changed |= joinCondition(op); });
    // Inner loops first: conditions that leave one may limit the loop around it.
    function.walk([&](scf::ForOp loop) {
      if (!countsUp(loop))
        return;
      const bool isNarrow = isNarrowRow(loop);
      const Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
      changed |= limit(loop);
      while (scf::ForOp single = splitSingle(loop)) {
        (void)limit(single);
        changed = true;
      }
      if (isNarrow && loop.getUpperBound() != upper)
        addWholeRow(loop, lower, upper);
    });
    if (!changed)
      return;
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, function->getRegions()); // the conditions of the guards
  }
};

} // namespace

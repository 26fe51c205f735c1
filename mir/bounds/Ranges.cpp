// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of the variable of a `for` over a range whose step is not 1
// (frontend/mirgen/Ranges.cpp). The loop is an scf.while that carries:
// - the variable, or the number of the iteration
// - whether there is another iteration
// - optionally the distance to the bound, so that the next value does not wrap
//
// Induction alone would not find all these bounds.
#include "mir/bounds/Analysis.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

/// The operand that a select returns, if its condition is known.
Value Analysis::resolvedSelect(Value value) {
  while (auto select = value.getDefiningOp<arith::SelectOp>()) {
    if (std::optional<Needs> needs = prove(select.getCondition(), true); needs && needs->empty())
      value = select.getTrueValue();
    else if (needs = prove(select.getCondition(), false); needs && needs->empty())
      value = select.getFalseValue();
    else
      break;
  }
  return leader(value);
}

std::optional<Analysis::RangeLoop> Analysis::rangeLoop(scf::WhileOp loop, BlockArgument variable) {
  const unsigned index = variable.getArgNumber();
  if (index + 1 >= loop.getInits().size() ||
      !llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
    return std::nullopt;
  if (!llvm::is_contained(conjuncts(loop.getConditionOp().getCondition()),
                          loop.getBeforeArguments()[index + 1]))
    return std::nullopt;
  auto yielded = [&](unsigned at) { return loop.getYieldOp().getOperand(at); };
  RangeLoop range{loop, variable, loop.getInits()[index],
                  yielded(index).getDefiningOp<arith::AddIOp>(),
                  yielded(index + 1).getDefiningOp<arith::CmpIOp>()};
  if (!range.next || range.next.getLhs() != variable || !range.continues)
    return std::nullopt;
  return range;
}

static bool isOutside(scf::WhileOp loop, Value value) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

// The variable is the number of the iteration: it counts up from 0 to the last iteration.
std::optional<Bounds> Analysis::ofIterations(const RangeLoop &range) {
  arith::CmpIOp continues = range.continues;
  if (continues.getPredicate() != CmpIPredicate::ne || continues.getLhs() != range.variable ||
      !matchPattern(range.first, m_Zero()) || !matchPattern(range.next->getOperand(1), m_One()) ||
      !isOutside(range.loop, continues.getRhs()))
    return std::nullopt;
  const Bounds last = of(continues.getRhs());
  if (!arithmetic.isNotNegative(last))
    return std::nullopt;
  Bounds bounds;
  bounds.exact = symbols.unknown(range.variable);
  bounds.least = {Polynomial()};
  for (const Polynomial &sum : last.upper())
    arithmetic.addMost(bounds, sum);
  bounds.needs = last.needs;
  return bounds;
}

std::optional<Analysis::Distance> Analysis::distanceOf(const RangeLoop &range) {
  scf::WhileOp loop = range.loop;
  arith::CmpIOp continues = range.continues;
  const unsigned index = range.variable.getArgNumber() + 2;
  if (index >= loop.getInits().size() || continues.getPredicate() != CmpIPredicate::uge)
    return std::nullopt;
  // The distance is compared with the step, and decreases by the step in each iteration.
  const Value left = loop.getAfterArguments()[index];
  auto rest = loop.getYieldOp().getOperand(index).getDefiningOp<arith::SubIOp>();
  if (!rest || rest.getLhs() != left || continues.getLhs() != left)
    return std::nullopt;
  const Value step = resolvedSelect(continues.getRhs());
  for (Value by : {continues.getRhs(), rest.getRhs(), range.next->getOperand(1)})
    if (!isOutside(loop, by) || resolvedSelect(by) != step)
      return std::nullopt;
  // If the range is not empty, the initial distance is from the first value to its end, or to one
  // before that.
  auto some = resolvedSelect(loop.getInits()[index - 1]).getDefiningOp<arith::CmpIOp>();
  if (!some ||
      (some.getPredicate() != CmpIPredicate::slt && some.getPredicate() != CmpIPredicate::sle))
    return std::nullopt;
  const bool isInclusive = some.getPredicate() == CmpIPredicate::sle;
  auto whole = resolvedSelect(loop.getInits()[index]).getDefiningOp<arith::SubIOp>();
  if (whole && !isInclusive)
    whole = matchPattern(whole.getRhs(), m_One())
                ? resolvedSelect(whole.getLhs()).getDefiningOp<arith::SubIOp>()
                : arith::SubIOp();
  const Value first = leader(range.first);
  if (!whole || leader(whole.getRhs()) != first || leader(some.getLhs()) != first ||
      leader(some.getRhs()) != leader(whole.getLhs()))
    return std::nullopt;
  return Distance{step, whole.getLhs(), isInclusive};
}

// The loop carries the distance from the variable to the last number of the range, which decreases
// while the variable increases.
std::optional<Bounds> Analysis::ofDistance(const RangeLoop &range) {
  std::optional<Distance> distance = distanceOf(range);
  if (!distance)
    return std::nullopt;
  const Bounds step = of(distance->step), first = of(range.first), bound = of(distance->bound);
  std::optional<Needs> isUp = conditions.atMost(Polynomial::constant(1), step.least);
  if (!isUp)
    return std::nullopt;
  Bounds bounds;
  bounds.exact = symbols.unknown(range.variable);
  for (const Polynomial &sum : first.lower())
    arithmetic.addLeast(bounds, sum);
  for (const Polynomial &sum : bound.upper()) {
    std::optional<Polynomial> last =
        Polynomial::subtract(sum, Polynomial::constant(distance->isInclusive ? 0 : 1));
    if (!last)
      continue;
    arithmetic.addMost(bounds, *last);
    if (first.exact != Polynomial() || !step.exact)
      continue;
    // If the first value is 0, the variable is a multiple of the step.
    std::optional<Polynomial> iterations = symbols.quotient(*last, *step.exact);
    if (std::optional<Polynomial> largest =
            iterations ? Polynomial::multiply(*iterations, *step.exact) : std::nullopt)
      arithmetic.addMost(bounds, *largest);
  }
  for (const Needs &needs : {step.needs, first.needs, bound.needs, *isUp})
    merge(bounds.needs, needs);
  return bounds;
}

std::optional<Bounds> Analysis::ofRange(scf::WhileOp loop, BlockArgument variable) {
  std::optional<RangeLoop> range = rangeLoop(loop, variable);
  if (!range)
    return std::nullopt;
  if (std::optional<Bounds> bounds = ofIterations(*range))
    return bounds;
  return ofDistance(*range);
}

} // namespace spl::mir::bounds

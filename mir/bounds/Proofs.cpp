// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs of conditions of the kernel from the bounds of their operands.
#include "mir/bounds/Analysis.h"
#include "mir/bounds/Extremes.h"
#include "mir/bounds/Multiples.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

/// The selections that a proof splits into cases, and the terms in which it looks for them.
static constexpr unsigned maxCases = 3, maxTerms = 32;

/// Each function returns the conditions on the launch under which what it is named after holds, or
/// std::nullopt.
class Analysis::Proofs {
public:
  explicit Proofs(Analysis &analysis) : analysis(analysis) {}

  std::optional<Needs> condition(Value condition, bool truth);

private:
  std::optional<Needs> byCases(CmpIPredicate predicate, Value left, Value right);
  std::optional<Needs> compare(CmpIPredicate predicate, Value left, Value right);
  std::optional<Needs> less(const Bounds &a, const Bounds &b, int64_t by);
  std::optional<Needs> notNegative(Value value);
  std::optional<Needs> eachLess(Value maximum, const Bounds &b, int64_t by);
  bool isExactlyLess(const Bounds &a, const Bounds &b, int64_t by);
  /// The smaller of two values has one of these bounds, and is at most both values.
  using EachOfTwo = std::array<Bounds, 2>;
  struct Minimum {
    Value value;
    EachOfTwo each;
  };
  EachOfTwo eachOf(Value minimum);
  Value openChoice(Value value);
  std::optional<Minimum> openMinimum(Value value, unsigned &looked);

  Analysis &analysis;
};

/// The conditions of both proofs, or std::nullopt if a proof is missing.
static std::optional<Needs> both(std::optional<Needs> a, const std::optional<Needs> &b) {
  if (!a || !b)
    return std::nullopt;
  merge(*a, *b);
  return a;
}

/// The proof with fewer conditions.
static std::optional<Needs> either(std::optional<Needs> a, std::optional<Needs> b) {
  if (!a || !b)
    return a ? a : b;
  return a->size() <= b->size() ? a : b;
}

/// Whether a + by <= b, from the ranges of the values that b - a - by is a polynomial of. Bounds do
/// not show it where a and b have factors in common, as in (2 i + 1) n - n.
bool Analysis::Proofs::isExactlyLess(const Bounds &a, const Bounds &b, int64_t by) {
  if (!a.exact || !b.exact)
    return false;
  std::optional<Polynomial> difference = Polynomial::subtract(*b.exact, *a.exact);
  if (difference)
    difference = Polynomial::subtract(*difference, Polynomial::constant(by));
  if (!difference)
    return false;
  const std::optional<Range> range = analysis.symbols.range(*difference, [&](Value value) {
    Bounds bounds = analysis.of(value);
    if (!bounds.needs.empty()) // the range must hold in every launch
      bounds = {};
    return analysis.arithmetic.rangeOf(bounds, value.getType().getIntOrFloatBitWidth());
  });
  return range && range->least >= 0;
}

/// a + by <= b.
std::optional<Needs> Analysis::Proofs::less(const Bounds &a, const Bounds &b, int64_t by) {
  const SmallVector<Polynomial, 2> smaller = shifted(a.upper(), by);
  std::optional<Needs> needs = analysis.conditions.atMost(smaller, b.lower());
  // A condition of the value itself says more than one of what guards know of it.
  if (needs && !needs->empty() && b.exact && analysis.symbols.isKnownAtLaunch(*b.exact))
    if (std::optional<Needs> plain = analysis.conditions.atMost(smaller, *b.exact))
      needs = plain;
  if (!needs && isExactlyLess(a, b, by))
    needs.emplace();
  if (!needs)
    return std::nullopt;
  merge(*needs, a.needs);
  merge(*needs, b.needs);
  return needs;
}

/// 0 <= value. One operand of the larger of two values is enough.
std::optional<Needs> Analysis::Proofs::notNegative(Value value) {
  value = analysis.leader(value);
  if (!isMaximum(value) || analysis.depth == maxDepth)
    return less(Bounds::exactly(0), analysis.of(value), 0);
  ++analysis.depth;
  std::optional<Needs> needs = either(notNegative(value.getDefiningOp()->getOperand(0)),
                                      notNegative(value.getDefiningOp()->getOperand(1)));
  --analysis.depth;
  return needs;
}

/// Both operands of a maximum + by <= b. The bounds of the maximum would have conditions that say
/// which bound is larger.
std::optional<Needs> Analysis::Proofs::eachLess(Value maximum, const Bounds &b, int64_t by) {
  std::optional<Needs> all = Needs();
  for (Value operand : maximum.getDefiningOp()->getOperands()) {
    operand = analysis.leader(operand);
    if (!isMaximum(operand) || analysis.depth == maxDepth) {
      all = both(all, less(analysis.of(operand), b, by));
      continue;
    }
    ++analysis.depth;
    all = both(all, eachLess(operand, b, by));
    --analysis.depth;
  }
  return all;
}

std::optional<Needs> Analysis::Proofs::compare(CmpIPredicate predicate, Value left, Value right) {
  const Bounds zero = Bounds::exactly(0);
  if (predicate == CmpIPredicate::ult || predicate == CmpIPredicate::ule) {
    // The value need not be shown to fit its type, because 0 <= a <= b shows that.
    const Bounds a = analysis.ofUnwrapped(left), b = analysis.of(right);
    const int64_t by = predicate == CmpIPredicate::ult ? 1 : 0;
    const Value index = analysis.leader(left);
    return isMaximum(index) ? both(notNegative(index), eachLess(index, b, by))
                            : both(less(zero, a, 0), less(a, b, by));
  }
  const Bounds a = analysis.of(left), b = analysis.of(right);
  switch (predicate) {
  case CmpIPredicate::slt:
    return less(a, b, 1);
  case CmpIPredicate::sle:
    return less(a, b, 0);
  case CmpIPredicate::sgt:
    return less(b, a, 1);
  case CmpIPredicate::sge:
    return less(b, a, 0);
  case CmpIPredicate::ult:
  case CmpIPredicate::ule:
    break;
  case CmpIPredicate::ugt:
    return both(less(zero, b, 0), less(b, a, 1));
  case CmpIPredicate::uge:
    return both(less(zero, b, 0), less(b, a, 0));
  case CmpIPredicate::eq:
    return both(less(a, b, 0), less(b, a, 0));
  case CmpIPredicate::ne: // sizes and divisors are more often above 0 than below
    return either(less(b, a, 1), less(a, b, 1));
  }
  llvm_unreachable("every predicate is above");
}

static bool isSumOrProduct(Operation *op) {
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp,
                         arith::ExtUIOp, arith::TruncIOp>(op);
}

/// The condition of a selection in the terms of the value, if its truth is not known here and it is
/// not excluded by a condition on the launch (isOfRareDivisor); else null.
Value Analysis::Proofs::openChoice(Value value) {
  SmallVector<Value> rest{value};
  for (unsigned looked = 0; !rest.empty() && looked < maxTerms; ++looked) {
    Operation *op = analysis.leader(rest.pop_back_val()).getDefiningOp();
    if (isSumOrProduct(op))
      llvm::append_range(rest, op->getOperands());
    Value condition;
    if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
      condition = analysis.leader(select.getCondition());
    else if (auto ifOp = dyn_cast_or_null<scf::IfOp>(op))
      condition = analysis.leader(ifOp.getCondition());
    auto compare = condition ? condition.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    const auto isKnown = [&](bool truth) {
      return llvm::is_contained(analysis.truths, std::pair(condition, truth));
    };
    const bool isRare = compare && analysis.isOfRareDivisor(compare);
    if (condition && !isRare && !isKnown(true) && !isKnown(false))
      return condition;
    // The value that a selection has here may be another selection.
    if (auto select = dyn_cast_or_null<arith::SelectOp>(op); select && isKnown(true))
      rest.push_back(select.getTrueValue());
    else if (select && isKnown(false))
      rest.push_back(select.getFalseValue());
  }
  return {};
}

Analysis::Proofs::EachOfTwo Analysis::Proofs::eachOf(Value minimum) {
  Operation *op = minimum.getDefiningOp();
  auto operand = [&](unsigned index) { return analysis.of(op->getOperand(index)); };
  const bool isClamp = op->getNumOperands() == 3;
  EachOfTwo each = isClamp
                       ? EachOfTwo{analysis.arithmetic.raised(operand(0), operand(1)), operand(2)}
                       : EachOfTwo{operand(0), operand(1)};
  const Bounds smaller = analysis.of(minimum);
  for (Bounds &bounds : each) {
    bounds.least = SmallVector<Polynomial, 2>(llvm::ArrayRef(bounds.lower()));
    for (const Polynomial &sum : llvm::concat<const Polynomial>(bounds.upper(), smaller.most))
      analysis.arithmetic.addMost(bounds, sum);
    merge(bounds.needs, smaller.needs);
  }
  return each;
}

/// A minimum in the terms of the value that no case of the proof is about. The bounds of a minimum
/// of minima depend on their cases, so they come first.
std::optional<Analysis::Proofs::Minimum> Analysis::Proofs::openMinimum(Value value,
                                                                       unsigned &looked) {
  value = analysis.leader(value);
  Operation *op = value.getDefiningOp();
  if (++looked > maxTerms || !(isSumOrProduct(op) || isMinimum(value)))
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (std::optional<Minimum> minimum = openMinimum(operand, looked))
      return minimum;
  if (!isMinimum(value) || analysis.guesses.contains(value))
    return std::nullopt;
  return Minimum{value, eachOf(value)};
}

/// Proves a comparison for each value of a selection or minimum in its operands. Each case has
/// separate bounds, under the selection's condition.
std::optional<Needs> Analysis::Proofs::byCases(CmpIPredicate predicate, Value left, Value right) {
  const std::optional<Needs> whole = compare(predicate, left, right);
  if ((whole && whole->empty()) || analysis.cases == maxCases)
    return whole;
  ++analysis.cases;
  std::optional<Needs> needs;
  Value choice = openChoice(left);
  if (!choice)
    choice = openChoice(right);
  std::optional<Minimum> minimum;
  unsigned looked = 0;
  if (!choice && !(minimum = openMinimum(left, looked)))
    minimum = openMinimum(right, looked);
  if (choice) {
    const auto assuming = [&](bool truth) {
      Scope scope(analysis);
      analysis.assume(choice, truth);
      return byCases(predicate, left, right);
    };
    needs = assuming(true);
    if (needs)
      needs = both(needs, assuming(false));
  } else if (minimum) {
    needs.emplace();
    for (const Bounds &bounds : minimum->each) {
      Scope scope(analysis);
      analysis.guesses[minimum->value] = bounds;
      if (needs)
        needs = both(needs, byCases(predicate, left, right));
      analysis.guesses.erase(minimum->value);
    }
  }
  --analysis.cases;
  return needs ? needs : whole;
}

/// Whether the comparison is `(x & mask) == 0`, and x is a multiple of a power of two above the
/// mask.
static bool isMultiple(arith::CmpIOp compare) {
  auto masked = compare.getLhs().getDefiningOp<arith::AndIOp>();
  APInt mask;
  return compare.getPredicate() == CmpIPredicate::eq && matchPattern(compare.getRhs(), m_Zero()) &&
         masked && matchPattern(masked.getRhs(), m_ConstantInt(&mask)) &&
         mask.getActiveBits() <= trailingZeros(masked.getLhs());
}

std::optional<Needs> Analysis::Proofs::condition(Value condition, bool truth) {
  condition = analysis.leader(condition);
  if (llvm::is_contained(analysis.truths, std::pair(condition, truth)))
    return Needs();
  if (truth ? matchPattern(condition, m_One()) : matchPattern(condition, m_Zero()))
    return Needs();
  Operation *op = condition.getDefiningOp();
  if (!op || analysis.depth == maxDepth || !analysis.steps.take())
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Type type = compare.getLhs().getType();
    if (!type.isInteger() || type.isInteger(1))
      return std::nullopt;
    if (truth && isMultiple(compare))
      return Needs();
    return byCases(truth ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate()),
                   compare.getLhs(), compare.getRhs());
  }
  if (!isa<arith::AndIOp, arith::OrIOp>(op))
    return std::nullopt;
  ++analysis.depth;
  std::optional<Needs> a = this->condition(op->getOperand(0), truth),
                       b = this->condition(op->getOperand(1), truth);
  --analysis.depth;
  return isa<arith::AndIOp>(op) == truth ? both(a, b) : either(a, b);
}

bool Analysis::holdsAnywhere(Value condition, bool truth) {
  auto allFacts = std::exchange(facts, {});
  auto allTruths = std::exchange(truths, {});
  llvm::DenseMap<Operation *, Heights> allEntered(entered);
  for (auto &[loop, heights] : entered)
    heights = {}; // no facts before the loop either
  auto allTogether = std::exchange(together, decltype(together)());
  known.emplace_back();
  const Steps::Few few(steps);
  const std::optional<Needs> needs = Proofs(*this).condition(condition, truth);
  known.pop_back();
  together = std::move(allTogether);
  entered = std::move(allEntered);
  truths = std::move(allTruths);
  facts = std::move(allFacts);
  return needs && needs->empty();
}

std::optional<Needs> Analysis::prove(Value condition, bool truth) {
  std::optional<Needs> needs = Proofs(*this).condition(condition, truth);
  return needs && !needs->empty() && pairTables.isIndexed(condition) ? std::nullopt : needs;
}

} // namespace spl::mir::bounds

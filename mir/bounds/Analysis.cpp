// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts at a place of the kernel, and the bounds and proofs that follow from them.
#include "mir/bounds/Analysis.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

// Beyond these limits a value is unknown, so that the time of the analysis is bounded for every
// kernel.
static constexpr unsigned maxDepth = 64, maxEffort = 20000, maxNeeds = 64;

Analysis::Analysis(KernelOp kernel)
    : symbols(kernel), conditions(symbols), arithmetic(symbols, conditions), numbers(kernel),
      known(1) {}

//===-- Facts --===//

Analysis::Scope::Scope(Analysis &analysis)
    : analysis(analysis), facts(analysis.facts.size()), truths(analysis.truths.size()) {
  analysis.known.emplace_back();
}

Analysis::Scope::~Scope() {
  analysis.facts.truncate(facts);
  analysis.truths.truncate(truths);
  analysis.known.pop_back();
}

static bool isOfParameters(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<KernelOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return op->hasTrait<OpTrait::ConstantLike>() || isa<ExtentOp>(op);
}

void Analysis::addFact(Value subject, CmpIPredicate predicate, Value other) {
  // A comparison of a parameter with a value of a work-item is no useful fact about the parameter.
  if (!matchPattern(subject, m_Constant()) && (!isOfParameters(subject) || isOfParameters(other)))
    facts.push_back({subject, predicate, other});
}

/// Whether the region \p arm of an scf.if yields the constant \p value as this result.
static bool yieldsConstant(Region &arm, unsigned result, bool value) {
  Value yielded = arm.front().getTerminator()->getOperand(result);
  return value ? matchPattern(yielded, m_One()) : matchPattern(yielded, m_Zero());
}

/// The predicate of the same comparison with swapped operands.
static CmpIPredicate swapped(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    return predicate;
  case CmpIPredicate::slt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::sle:
    return CmpIPredicate::sge;
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  case CmpIPredicate::ult:
    return CmpIPredicate::ugt;
  case CmpIPredicate::ule:
    return CmpIPredicate::uge;
  case CmpIPredicate::ugt:
    return CmpIPredicate::ult;
  case CmpIPredicate::uge:
    return CmpIPredicate::ule;
  }
  llvm_unreachable("every predicate is above");
}

/// The maximum number of parts of one condition, so that the time for a long condition is bounded.
static constexpr unsigned maxParts = 256;

void Analysis::assume(Value condition, bool truth) {
  known.back() = Known();
  SmallVector<std::pair<Value, bool>> rest{{condition, truth}};
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  while (!rest.empty() && seen.size() < maxParts) {
    auto [part, isTrue] = rest.pop_back_val();
    part = leader(part);
    if (!seen.insert({part, isTrue}).second)
      continue;
    truths.push_back({part, isTrue});
    if (auto result = dyn_cast<OpResult>(part))
      assumePart(result, isTrue, rest);
  }
}

/// Adds the facts that follow from the condition, and adds other conditions that follow to \p rest.
void Analysis::assumePart(OpResult condition, bool truth,
                          SmallVectorImpl<std::pair<Value, bool>> &rest) {
  Operation *op = condition.getOwner();
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    CmpIPredicate predicate =
        truth ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
    Value a = leader(compare.getLhs()), b = leader(compare.getRhs());
    if (!a.getType().isInteger() || a.getType().isInteger(1))
      return;
    addFact(a, predicate, b);
    addFact(b, swapped(predicate), a);
    return;
  }
  if (truth ? isa<arith::AndIOp>(op) : isa<arith::OrIOp>(op))
    for (Value operand : op->getOperands())
      rest.push_back({operand, truth});
  if (isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One()))
    rest.push_back({op->getOperand(0), !truth});
  // If b is not cheap, `a and b` is an scf.if that yields b or false. `a or b` is similar.
  auto ifOp = dyn_cast<scf::IfOp>(op);
  if (!ifOp || ifOp.getElseRegion().empty())
    return;
  const unsigned result = condition.getResultNumber();
  for (bool branch : {true, false}) {
    Region &taken = branch ? ifOp.getThenRegion() : ifOp.getElseRegion();
    Region &other = branch ? ifOp.getElseRegion() : ifOp.getThenRegion();
    if (!yieldsConstant(other, result, !truth))
      continue;
    rest.push_back({ifOp.getCondition(), branch});
    rest.push_back({taken.front().getTerminator()->getOperand(result), truth});
    return;
  }
}

//===-- Bounds --===//

/// Adds \p by to each sum.
static SmallVector<Polynomial, 2> shifted(ArrayRef<Polynomial> sums, int64_t by) {
  SmallVector<Polynomial, 2> result;
  for (const Polynomial &sum : sums)
    if (std::optional<Polynomial> next = Polynomial::add(sum, Polynomial::constant(by)))
      result.push_back(*next);
  return result;
}

Bounds Analysis::unknown(Value value) {
  Bounds bounds;
  bounds.exact = symbols.unknown(value);
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.getWidth() >= 64)
    return bounds;
  const int64_t half = int64_t(1) << (type.getWidth() - 1);
  bounds.least = {Polynomial::constant(-half)};
  bounds.most = {Polynomial::constant(half - 1)};
  return bounds;
}

Bounds Analysis::of(Value value) {
  value = leader(value);
  auto found = known.back().values.find(value);
  if (found != known.back().values.end())
    return found->second;
  if (depth == maxDepth || ++effort > maxEffort)
    return unknown(value);
  ++depth;
  Bounds bounds;
  if (auto guess = guesses.find(value); guess != guesses.end())
    bounds = guess->second;
  else if (auto result = dyn_cast<OpResult>(value))
    bounds = compute(result);
  else
    bounds = compute(cast<BlockArgument>(value));
  const unsigned before = cyclesCut;
  for (size_t i = 0; i < facts.size(); ++i) {
    const Fact fact = facts[i];
    if (fact.subject != value)
      continue;
    if (llvm::is_contained(inProgress, value)) { // the fact depends on the value itself
      ++cyclesCut;
      break;
    }
    inProgress.push_back(value);
    apply(fact, bounds);
    inProgress.pop_back();
  }
  if (bounds.needs.size() > maxNeeds)
    bounds = unknown(value);
  --depth;
  if (cyclesCut == before)
    known.back().values[value] = bounds;
  return bounds;
}

Bounds Analysis::ofUnwrapped(Value value) {
  value = leader(value);
  Operation *op = value.getDefiningOp();
  // Facts are about the wrapped value.
  if (!op || !isRingOperation(op) || !value.getType().isInteger() || value.getType().isInteger(1) ||
      llvm::any_of(facts, [&](const Fact &fact) { return fact.subject == value; }))
    return of(value);
  auto found = known.back().unwrapped.find(value);
  if (found != known.back().unwrapped.end())
    return found->second;
  if (depth == maxDepth || ++effort > maxEffort)
    return {};
  const unsigned before = cyclesCut;
  ++depth;
  Bounds bounds = computeUnwrapped(op);
  if (bounds.needs.size() > maxNeeds)
    bounds = {};
  --depth;
  if (cyclesCut == before)
    known.back().unwrapped[value] = bounds;
  return bounds;
}

void Analysis::apply(const Fact &fact, Bounds &bounds) {
  Bounds other = of(fact.other);
  auto atMost = [&](int64_t less) {
    for (const Polynomial &sum : shifted(other.upper(), -less))
      arithmetic.addMost(bounds, sum);
    merge(bounds.needs, other.needs);
  };
  auto atLeast = [&](int64_t more) {
    for (const Polynomial &sum : shifted(other.lower(), more))
      arithmetic.addLeast(bounds, sum);
    merge(bounds.needs, other.needs);
  };
  const Polynomial zero;
  switch (fact.predicate) {
  case CmpIPredicate::slt:
    return atMost(1);
  case CmpIPredicate::sle:
    return atMost(0);
  case CmpIPredicate::sgt:
    return atLeast(1);
  case CmpIPredicate::sge:
    return atLeast(0);
  case CmpIPredicate::eq:
    atMost(0);
    return atLeast(0);
  case CmpIPredicate::ult:
  case CmpIPredicate::ule: {
    // If the other value is not negative, the smaller value is not negative either.
    std::optional<Needs> needs = conditions.atMost(zero, other.least);
    if (!needs)
      return;
    merge(bounds.needs, *needs);
    arithmetic.addLeast(bounds, zero);
    return atMost(fact.predicate == CmpIPredicate::ult ? 1 : 0);
  }
  case CmpIPredicate::ugt:
  case CmpIPredicate::uge: {
    if (arithmetic.isNotNegative(bounds) && arithmetic.isNotNegative(other))
      atLeast(fact.predicate == CmpIPredicate::ugt ? 1 : 0);
    return;
  }
  case CmpIPredicate::ne:
    // The value is not equal to its lower bound, so the bound increases by 1.
    if (other.exact && llvm::is_contained(bounds.least, *other.exact))
      atLeast(1);
    return;
  }
}

//===-- Proofs --===//

/// Whether a + by <= b, from the ranges of the values that b - a - by is a polynomial of. Bounds do
/// not show it where a and b have factors in common, as in (2 i + 1) n - n.
bool Analysis::isExactlyLess(const Bounds &a, const Bounds &b, int64_t by) {
  if (!a.exact || !b.exact)
    return false;
  std::optional<Polynomial> difference = Polynomial::subtract(*b.exact, *a.exact);
  if (difference)
    difference = Polynomial::subtract(*difference, Polynomial::constant(by));
  if (!difference)
    return false;
  const std::optional<Range> range = symbols.range(*difference, [&](Value value) {
    Bounds bounds = of(value);
    if (!bounds.needs.empty()) // the range must hold in every launch
      bounds = {};
    return arithmetic.rangeOf(bounds, value.getType().getIntOrFloatBitWidth());
  });
  return range && range->least >= 0;
}

std::optional<Needs> Analysis::proveLess(const Bounds &a, const Bounds &b, int64_t by) {
  std::optional<Needs> needs = conditions.atMost(shifted(a.upper(), by), b.lower());
  if (!needs && isExactlyLess(a, b, by))
    needs.emplace();
  if (!needs)
    return std::nullopt;
  merge(*needs, a.needs);
  merge(*needs, b.needs);
  return needs;
}

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

std::optional<Needs> Analysis::proveCompare(CmpIPredicate predicate, Value left, Value right) {
  const Bounds zero = Bounds::exactly(0);
  // The value need not be shown to fit its type, because 0 <= a <= b shows that.
  if (predicate == CmpIPredicate::ult || predicate == CmpIPredicate::ule) {
    Bounds a = ofUnwrapped(left), b = of(right);
    return both(proveLess(zero, a, 0), proveLess(a, b, predicate == CmpIPredicate::ult ? 1 : 0));
  }
  Bounds a = of(left), b = of(right);
  switch (predicate) {
  case CmpIPredicate::slt:
    return proveLess(a, b, 1);
  case CmpIPredicate::sle:
    return proveLess(a, b, 0);
  case CmpIPredicate::sgt:
    return proveLess(b, a, 1);
  case CmpIPredicate::sge:
    return proveLess(b, a, 0);
  case CmpIPredicate::ult:
  case CmpIPredicate::ule:
    break;
  case CmpIPredicate::ugt:
    return both(proveLess(zero, b, 0), proveLess(b, a, 1));
  case CmpIPredicate::uge:
    return both(proveLess(zero, b, 0), proveLess(b, a, 0));
  case CmpIPredicate::eq:
    return both(proveLess(a, b, 0), proveLess(b, a, 0));
  case CmpIPredicate::ne: // sizes and divisors are more often above 0 than below
    return either(proveLess(b, a, 1), proveLess(a, b, 1));
  }
  llvm_unreachable("every predicate is above");
}

std::optional<Needs> Analysis::prove(Value condition, bool truth) {
  condition = leader(condition);
  if (llvm::is_contained(truths, std::pair(condition, truth)))
    return Needs();
  if (truth ? matchPattern(condition, m_One()) : matchPattern(condition, m_Zero()))
    return Needs();
  Operation *op = condition.getDefiningOp();
  if (!op || depth == maxDepth || ++effort > maxEffort)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Type type = compare.getLhs().getType();
    if (!type.isInteger() || type.isInteger(1))
      return std::nullopt;
    return proveCompare(truth ? compare.getPredicate()
                              : arith::invertPredicate(compare.getPredicate()),
                        compare.getLhs(), compare.getRhs());
  }
  if (!isa<arith::AndIOp, arith::OrIOp>(op))
    return std::nullopt;
  ++depth;
  std::optional<Needs> a = prove(op->getOperand(0), truth), b = prove(op->getOperand(1), truth);
  --depth;
  return isa<arith::AndIOp>(op) == truth ? both(a, b) : either(a, b);
}

} // namespace spl::mir::bounds

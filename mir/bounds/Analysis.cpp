// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts at a place of the kernel, and the bounds and proofs that follow from them.
#include "mir/bounds/Analysis.h"
#include "mir/bounds/Loads.h"
#include "mir/dialect/Comparisons.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

// Beyond these limits a value is unknown, so that the time of the analysis is bounded for every
// kernel.
static constexpr unsigned maxNeeds = 64;

Analysis::Analysis(KernelOp kernel)
    : symbols(kernel), conditions(symbols), arithmetic(symbols, conditions), numbers(kernel),
      pairTables(kernel), known(1) {}

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

/// The bounds and facts that follow from a fact.
class Analysis::Facts {
public:
  explicit Facts(Analysis &analysis) : analysis(analysis) {}

  std::optional<Fact> ofPart(const Fact &fact);
  void apply(Value value, Bounds &bounds);

private:
  void apply(const Fact &fact, Bounds &bounds);
  void applyRange(const Fact &fact, Bounds &bounds);

  Analysis &analysis;
};

static bool isOfParameters(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<KernelOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return op->hasTrait<OpTrait::ConstantLike>() || isa<ExtentOp>(op);
}

/// Adds the fact, and those about the values that its subject is made of: `i + 1 < n` also bounds
/// i.
void Analysis::addFact(Fact fact) {
  for (std::optional<Fact> next = std::move(fact); next; next = Facts(*this).ofPart(facts.back())) {
    const bool isAbove =
        next->predicate == CmpIPredicate::sgt || next->predicate == CmpIPredicate::sge;
    // Of a comparison of a parameter with a value of a work-item, only its lower end is useful.
    if (matchPattern(next->subject, m_Constant()) ||
        (isOfParameters(next->subject) && !isOfParameters(next->other) && !isAbove))
      return;
    facts.push_back(std::move(*next));
  }
}

/// The fact about the value to which the subject adds a constant, or which it makes wider. The sum
/// must be known not to wrap. What that needs of the launch is no part of every proof with this
/// value, unless the bounds of the value have conditions anyway.
std::optional<Analysis::Fact> Analysis::Facts::ofPart(const Fact &fact) {
  Operation *op = fact.subject.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return std::nullopt;
  Fact part = fact;
  part.subject = analysis.leader(op->getOperand(0));
  if (fact.subject.getType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  const Bounds known = analysis.of(part.subject);
  if (isa<arith::ExtUIOp>(op) && !analysis.arithmetic.isNotNegative(known))
    return std::nullopt;
  APInt number;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&number)) || number.isMinSignedValue())
      return std::nullopt;
    const int64_t by = isa<arith::AddIOp>(op) ? number.getSExtValue() : -number.getSExtValue();
    const Bounds sum = analysis.arithmetic.fitted(
        analysis.arithmetic.add(known, Bounds::exactly(by)), number.getBitWidth());
    if (!sum.isBounded() || (known.needs.empty() && !sum.needs.empty()) ||
        __builtin_add_overflow(part.offset, by, &part.offset) ||
        part.offset == std::numeric_limits<int64_t>::min())
      return std::nullopt;
    merge(part.needs, sum.needs);
  }
  merge(part.needs, known.needs);
  return part;
}

/// Whether the region \p arm of an scf.if yields the constant \p value as this result.
static bool yieldsConstant(Region &arm, unsigned result, bool value) {
  Value yielded = arm.front().getTerminator()->getOperand(result);
  return value ? matchPattern(yielded, m_One()) : matchPattern(yielded, m_Zero());
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
  known.back() = Known(); // of what was computed before all facts were there
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
    addFact({a, predicate, b});
    addFact({b, swapped(predicate), a});
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

bool Analysis::isOfRareDivisor(arith::CmpIOp compare) {
  APInt number;
  return compare.getPredicate() == CmpIPredicate::eq &&
         matchPattern(compare.getRhs(), m_ConstantInt(&number)) && number.isAllOnes() &&
         llvm::all_of(compare.getOperands(), [&](Value operand) {
           const Bounds bounds = of(operand);
           return bounds.exact && symbols.isKnownAtLaunch(*bounds.exact);
         });
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

void Analysis::Facts::apply(Value value, Bounds &bounds) {
  // What a value is not equal to matters only where it is a bound, so these facts come last.
  for (bool isUnequal : {false, true})
    for (size_t i = 0; i < analysis.facts.size(); ++i) {
      const Fact fact = analysis.facts[i];
      if (fact.subject != value || (fact.predicate == CmpIPredicate::ne) != isUnequal)
        continue;
      if (llvm::is_contained(analysis.inProgress, value)) { // the fact depends on the value itself
        ++analysis.cyclesCut;
        break;
      }
      analysis.inProgress.push_back(value);
      apply(fact, bounds);
      analysis.inProgress.pop_back();
    }
}

Bounds Analysis::withoutFacts(Value value) {
  if (auto guess = guesses.find(value); guess != guesses.end())
    return guess->second;
  if (auto result = dyn_cast<OpResult>(value))
    return compute(result);
  return compute(cast<BlockArgument>(value));
}

Bounds Analysis::of(Value value) {
  value = leader(value);
  auto found = known.back().values.find(value);
  if (found != known.back().values.end())
    return found->second;
  if (depth == maxDepth || !steps.take())
    return unknown(value);
  ++depth;
  Bounds bounds = withoutFacts(value);
  const unsigned before = cyclesCut;
  Facts(*this).apply(value, bounds);
  if (bounds.needs.size() > maxNeeds)
    bounds = unknown(value);
  --depth;
  if (cyclesCut == before && !steps.isUsedUp())
    known.back().values[value] = bounds;
  return bounds;
}

Range Analysis::rangeOf(Value value) {
  const Bounds bounds = of(value);
  return arithmetic.rangeOf(bounds.needs.empty() ? bounds : unknown(value),
                            value.getType().getIntOrFloatBitWidth());
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
  if (depth == maxDepth || !steps.take())
    return {};
  const unsigned before = cyclesCut;
  ++depth;
  Bounds bounds = computeUnwrapped(op);
  if (bounds.needs.size() > maxNeeds)
    bounds = {};
  --depth;
  if (cyclesCut == before && !steps.isUsedUp())
    known.back().unwrapped[value] = bounds;
  return bounds;
}

/// Adds the number that a parameter is not below in any launch, because it is above a value of a
/// work-item: behind `i < n`, n is at least 1.
void Analysis::Facts::applyRange(const Fact &fact, Bounds &bounds) {
  // The value may have the parameter as a bound. The number does not follow from that bound.
  const unsigned before = analysis.cyclesCut;
  Bounds other = analysis.of(fact.other);
  if (!other.needs.empty()) // a fact about it may need a condition, as j < n - 1 does
    other = analysis.withoutFacts(fact.other);
  analysis.cyclesCut = before;
  if (!other.needs.empty() || !fact.needs.empty())
    return;
  const unsigned width = fact.other.getType().getIntOrFloatBitWidth();
  const Wide least = analysis.arithmetic.rangeOf(other, width).least - fact.offset +
                     (fact.predicate == CmpIPredicate::sgt ? 1 : 0);
  if (least == int64_t(least))
    analysis.arithmetic.addLeast(bounds, Polynomial::constant(int64_t(least)));
}

/// Whether the value is computed from memory.
static bool readsMemory(Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 8;
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return false;
  if (isa<LoadOp, AtomicOp>(op))
    return !parameterPart(value);
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return readsMemory(operand, depth + 1); });
}

/// Whether the fact compares with a value from memory, and the value of `bounds` already has a
/// bound on that side without conditions. The bound by the fact would need conditions that hold
/// whatever the memory contains. For `i < a[k] + n` they require that n is 0, so the known bound is
/// better.
static bool isKnownWithoutMemory(const Bounds &bounds, CmpIPredicate predicate, Value other) {
  const bool isAbove = predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge;
  return bounds.needs.empty() && readsMemory(other) &&
         llvm::any_of(isAbove ? bounds.least : bounds.most,
                      [](const Polynomial &bound) { return !bound.asConstant(); });
}

void Analysis::Facts::apply(const Fact &fact, Bounds &bounds) {
  if (isOfParameters(fact.subject) && !isOfParameters(fact.other))
    return applyRange(fact, bounds);
  Bounds other = analysis.of(fact.other);
  merge(other.needs, fact.needs);
  if (!other.needs.empty() && isKnownWithoutMemory(bounds, fact.predicate, fact.other))
    return;
  auto atMost = [&](int64_t less) {
    for (const Polynomial &sum : shifted(shifted(other.upper(), -less), -fact.offset))
      analysis.arithmetic.addMost(bounds, sum);
    merge(bounds.needs, other.needs);
  };
  auto atLeast = [&](int64_t more) {
    for (const Polynomial &sum : shifted(shifted(other.lower(), more), -fact.offset))
      analysis.arithmetic.addLeast(bounds, sum);
    merge(bounds.needs, other.needs);
  };
  const Polynomial zero, zeroOfSubject = Polynomial::constant(-fact.offset);
  auto isNotNegative = [&](const Polynomial &sum) {
    return analysis.conditions.isAtMost(zeroOfSubject, sum);
  };
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
    std::optional<Needs> needs = analysis.conditions.atMost(zero, other.least);
    if (!needs)
      return;
    merge(bounds.needs, *needs);
    analysis.arithmetic.addLeast(bounds, zeroOfSubject);
    return atMost(fact.predicate == CmpIPredicate::ult ? 1 : 0);
  }
  case CmpIPredicate::ugt:
  case CmpIPredicate::uge: {
    if (llvm::any_of(bounds.least, isNotNegative) && analysis.arithmetic.isNotNegative(other))
      atLeast(fact.predicate == CmpIPredicate::ugt ? 1 : 0);
    return;
  }
  case CmpIPredicate::ne: {
    // A value that is not equal to its bound is beyond it.
    std::optional<Polynomial> excluded =
        other.exact ? Polynomial::add(*other.exact, zeroOfSubject) : std::nullopt;
    if (excluded && llvm::is_contained(bounds.least, *excluded))
      atLeast(1);
    if (excluded && llvm::is_contained(bounds.most, *excluded))
      atMost(1);
    return;
  }
  }
}

} // namespace spl::mir::bounds

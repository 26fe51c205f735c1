// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of the values that loops carry. A guess must hold before the loop. If it holds at the
// start of an iteration, it must hold at its end.
#include "mir/bounds/Analysis.h"
#include "mir/bounds/Extremes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

//===-- Places in loops --===//

void Analysis::enter(Operation *loop) {
  entered[loop] = {facts.size(), truths.size()};
  if (auto range = dyn_cast<scf::ForOp>(loop)) { // the body runs, so there is an iteration
    addFact({leader(range.getLowerBound()),
             range.getUnsignedCmp() ? CmpIPredicate::ult : CmpIPredicate::slt,
             leader(range.getUpperBound())});
    known.back() = Known();
    // The upper bound may be a select between a trip count and 0. The condition of the select is
    // true, because there is an iteration.
    auto count = range.getUpperBound().getDefiningOp<arith::SelectOp>();
    if (count && matchPattern(count.getFalseValue(), m_Zero()) &&
        matchPattern(range.getLowerBound(), m_Zero()))
      assume(count.getCondition(), true);
  }
}

SmallVector<Value> conjuncts(Value condition) {
  SmallVector<Value> parts, rest{condition};
  llvm::DenseSet<Value> seen;
  while (!rest.empty()) {
    const Value part = rest.pop_back_val();
    if (!seen.insert(part).second)
      continue;
    if (auto both = part.getDefiningOp<arith::AndIOp>())
      rest.append({both.getLhs(), both.getRhs()});
    else
      parts.push_back(part);
  }
  return parts;
}

void Analysis::enterBody(scf::WhileOp loop) {
  const Value condition = loop.getConditionOp().getCondition();
  assume(condition, true);
  // If the loop carries a condition, the initial value of the condition was true for the first
  // iteration. The initial value depends only on values from before the loop. Therefore it is true
  // in all iterations.
  for (Value part : conjuncts(condition))
    if (auto carried = dyn_cast<BlockArgument>(part))
      if (carried.getOwner() == loop.getBeforeBody())
        assume(loop.getInits()[carried.getArgNumber()], true);
}

/// Restores the facts that hold before a loop while it exists. It is used to analyse an iteration
/// other than the current one, or an iteration from a place after the loop.
class Analysis::Around {
public:
  Around(Analysis &analysis, Operation *loop)
      : analysis(analysis), loop(loop), facts(analysis.facts), truths(analysis.truths) {
    auto place = analysis.entered.find(loop);
    isEntered = place != analysis.entered.end();
    if (isEntered) {
      heights = place->second;
      analysis.facts.truncate(std::min(heights.facts, facts.size()));
      analysis.truths.truncate(std::min(heights.truths, truths.size()));
    }
    analysis.known.emplace_back();
    analysis.entered[loop] = {analysis.facts.size(), analysis.truths.size()};
    // Hides the guesses for inner loops and for values of the body, because they are about the
    // current iteration.
    for (auto &[value, guess] : analysis.guesses) {
      Operation *inner = value.getDefiningOp();
      if (loop->isProperAncestor(inner ? inner : value.getParentBlock()->getParentOp()))
        hidden.push_back({value, guess});
    }
    for (auto &[value, guess] : hidden)
      analysis.guesses.erase(value);
  }
  ~Around() {
    for (auto &[value, guess] : hidden)
      analysis.guesses[value] = std::move(guess);
    if (isEntered)
      analysis.entered[loop] = heights;
    else
      analysis.entered.erase(loop);
    analysis.known.pop_back();
    analysis.facts = std::move(facts);
    analysis.truths = std::move(truths);
  }
  Around(const Around &) = delete;
  Around &operator=(const Around &) = delete;

private:
  Analysis &analysis;
  Operation *loop;
  SmallVector<Fact> facts;
  SmallVector<std::pair<Value, bool>> truths;
  SmallVector<std::pair<Value, Bounds>, 0> hidden;
  bool isEntered;
  Heights heights{};
};

//===-- Carried values --===//

bool Analysis::keepInductive(Bounds &guess, const Bounds &next) const {
  auto drop = [](SmallVectorImpl<Polynomial> &sums, auto holds) {
    const size_t before = sums.size();
    llvm::erase_if(sums, [&](const Polynomial &sum) { return !holds(sum); });
    return sums.size() == before;
  };
  bool keptLeast = drop(guess.least, [&](const Polynomial &sum) {
    return llvm::any_of(next.least,
                        [&](const Polynomial &of) { return conditions.isAtMost(sum, of); });
  });
  bool keptMost = drop(guess.most, [&](const Polynomial &sum) {
    return llvm::any_of(next.most,
                        [&](const Polynomial &of) { return conditions.isAtMost(of, sum); });
  });
  return keptLeast && keptMost;
}

static void enterIteration(Analysis &analysis, Operation *loop) {
  if (auto range = dyn_cast<scf::ForOp>(loop))
    analysis.enter(range);
  else
    analysis.enterBody(cast<scf::WhileOp>(loop));
}

/// Finds the bounds in every launch of the values that a loop carries, from guesses for all of them
/// together. In a binary search, the bounds of `low` follow from those of `high`, and those of
/// `high` from those of `low`.
class Analysis::Together {
public:
  Together(Analysis &analysis, Operation *loop);

  /// The bounds of one value. There are none if the loop carries no other value, or while guesses
  /// for the loop are examined.
  Bounds of(BlockArgument argument);

private:
  /// An integer that a loop carries, its value before the loop, and the one of the next iteration.
  struct Carried {
    BlockArgument argument;
    Value first, next;
  };
  Bounds inEveryLaunch(Value value);
  SmallVector<Bounds, 0> guess();
  SmallVector<Bounds, 0> prove();

  Analysis &analysis;
  Operation *loop;
  SmallVector<Carried> values;
};

Analysis::Together::Together(Analysis &analysis, Operation *loop) : analysis(analysis), loop(loop) {
  const auto add = [&](auto arguments, auto firsts, auto nexts) {
    for (auto [argument, first, next] : llvm::zip_equal(arguments, firsts, nexts))
      if (auto type = dyn_cast<IntegerType>(argument.getType());
          type && type.getWidth() > 1 && type.getWidth() <= 64)
        values.push_back({argument, first, next});
  };
  if (auto range = dyn_cast<scf::ForOp>(loop)) {
    add(range.getRegionIterArgs(), range.getInitArgs(), range.getYieldedValues());
  } else {
    auto whileLoop = cast<scf::WhileOp>(loop);
    add(whileLoop.getBeforeArguments(), whileLoop.getInits(), whileLoop.getYieldOp().getOperands());
  }
}

/// The bounds of the value that need no conditions. Those of one operand are bounds of a maximum or
/// a minimum, whatever the other operand needs.
Bounds Analysis::Together::inEveryLaunch(Value value) {
  value = analysis.leader(value);
  Bounds bounds = analysis.of(value);
  if (bounds.needs.empty())
    return bounds;
  bounds = {};
  const bool isLarger = isMaximum(value);
  Operation *op = value.getDefiningOp();
  if ((!isLarger && !isMinimum(value)) || op->getNumOperands() != 2 || analysis.depth == maxDepth)
    return bounds;
  ++analysis.depth;
  for (Value operand : op->getOperands()) {
    const Bounds one = inEveryLaunch(operand);
    for (const Polynomial &sum : isLarger ? one.lower() : one.upper())
      isLarger ? analysis.arithmetic.addLeast(bounds, sum)
               : analysis.arithmetic.addMost(bounds, sum);
  }
  --analysis.depth;
  return bounds;
}

/// The bounds of the values before the loop.
SmallVector<Bounds, 0> Analysis::Together::guess() {
  Around around(analysis, loop);
  SmallVector<Bounds, 0> guesses;
  for (const Carried &value : values) {
    Bounds guess = inEveryLaunch(value.first);
    guess.exact = analysis.symbols.unknown(value.argument);
    // A number below a length, such as 0, often holds where the length itself does not.
    const unsigned width = value.first.getType().getIntOrFloatBitWidth();
    const Range range = analysis.arithmetic.rangeOf(guess, width);
    for (auto [sums, number] :
         {std::pair(&guess.least, range.least), std::pair(&guess.most, range.most)})
      if (const Polynomial bound = Polynomial::constant(int64_t(number));
          !llvm::is_contained(*sums, bound))
        sums->push_back(bound);
    guesses.push_back(std::move(guess));
  }
  return guesses;
}

/// The guesses that imply that they hold after an iteration.
SmallVector<Bounds, 0> Analysis::Together::prove() {
  SmallVector<Bounds, 0> all = guess();
  // The guesses are about all iterations, whichever facts of this one ask for bounds.
  const SmallVector<Value> asking = std::exchange(analysis.inProgress, {});
  for (bool areKept = false; !areKept;) {
    Around around(analysis, loop);
    for (const auto &[value, guess] : llvm::zip_equal(values, all))
      analysis.guesses[value.argument] = guess;
    enterIteration(analysis, loop);
    areKept = true;
    for (const auto &[value, guess] : llvm::zip_equal(values, all)) {
      const Bounds after = analysis.of(value.next);
      areKept &= analysis.keepInductive(guess, after.needs.empty() ? after : Bounds());
    }
    for (const Carried &value : values)
      analysis.guesses.erase(value.argument);
  }
  analysis.inProgress = asking;
  return all;
}

Bounds Analysis::Together::of(BlockArgument argument) {
  const auto isGuessed = [&](const Carried &value) {
    return analysis.guesses.contains(value.argument);
  };
  if (values.size() < 2 || llvm::any_of(values, isGuessed))
    return {};
  const auto own =
      llvm::find_if(values, [&](const Carried &value) { return value.argument == argument; });
  const auto found = analysis.together.find(loop);
  if (found != analysis.together.end())
    return found->second[own - values.begin()];
  // The facts before a loop that the walk has entered hold wherever the loop runs.
  const bool isLasting = analysis.guesses.empty() && analysis.entered.contains(loop);
  SmallVector<Bounds, 0> all = prove();
  Bounds bounds = all[own - values.begin()];
  if (isLasting && !analysis.steps.isUsedUp())
    analysis.together[loop] = std::move(all);
  return bounds;
}

Bounds Analysis::carried(BlockArgument argument, Value first, Value next) {
  Operation *loop = argument.getOwner()->getParentOp();
  const Bounds proved = Together(*this, loop).of(argument);
  Bounds guess;
  {
    Around around(*this, loop);
    guess = of(first);
  }
  const auto areProved = [](ArrayRef<Polynomial> sums, ArrayRef<Polynomial> in) {
    return llvm::all_of(sums, [&](const Polynomial &sum) { return llvm::is_contained(in, sum); });
  };
  if (proved.isBounded() && guess.needs.empty() && areProved(guess.least, proved.least) &&
      areProved(guess.most, proved.most))
    return proved;
  guess.exact = symbols.unknown(argument);
  const Bounds floor = unknown(argument);
  while (!guess.least.empty() || !guess.most.empty()) {
    Around around(*this, loop);
    guesses[argument] = guess;
    enterIteration(*this, loop);
    const Bounds after = of(next);
    guesses.erase(argument);
    if (keepInductive(guess, after)) {
      merge(guess.needs, after.needs);
      break;
    }
  }
  if (!guess.needs.empty() && proved.isBounded())
    return proved;
  for (const Polynomial &sum : proved.least)
    arithmetic.addLeast(guess, sum);
  for (const Polynomial &sum : proved.most)
    arithmetic.addMost(guess, sum);
  if (guess.least.empty())
    guess.least = floor.least;
  if (guess.most.empty())
    guess.most = floor.most;
  return guess;
}

/// A value to which each iteration adds the same: its first value, and as often that.
std::optional<Bounds> Analysis::summed(scf::ForOp loop, BlockArgument argument, Value first,
                                       Value next) {
  Operation *op = next.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) || !matchPattern(loop.getStep(), m_One()))
    return std::nullopt;
  const bool isSum = isa<arith::AddIOp>(op), isSwapped = op->getOperand(1) == argument;
  const Value by = op->getOperand(isSwapped ? 0 : 1);
  if (op->getOperand(isSwapped ? 1 : 0) != argument || (isSwapped && !isSum) ||
      (!loop.isDefinedOutsideOfLoop(by) && !matchPattern(by, m_Constant())))
    return std::nullopt;
  const Bounds times =
      arithmetic.subtract(of(loop.getInductionVar()), ofUnwrapped(loop.getLowerBound()));
  const Bounds added = arithmetic.multiply(times, ofUnwrapped(by)), start = ofUnwrapped(first);
  Bounds bounds =
      arithmetic.fitted(isSum ? arithmetic.add(start, added) : arithmetic.subtract(start, added),
                        argument.getType().getIntOrFloatBitWidth());
  return bounds.isBounded() ? std::optional(bounds) : std::nullopt;
}

/// Bounds of the value, where upper bounds may be missing. The lower bounds of a maximum have no
/// condition that says which of its values is larger.
Bounds Analysis::lowerBounds(Value value) {
  value = leader(value);
  if (!isMaximum(value) || depth == maxDepth)
    return of(value);
  Bounds bounds;
  ++depth;
  for (Value operand : value.getDefiningOp()->getOperands()) {
    const Bounds one = lowerBounds(operand);
    for (const Polynomial &sum : one.lower())
      arithmetic.addLeast(bounds, sum);
    merge(bounds.needs, one.needs);
  }
  --depth;
  return bounds;
}

Bounds Analysis::inductionVariable(scf::ForOp loop) {
  const Value variable = loop.getInductionVar();
  Bounds lower =
      loop.getUnsignedCmp() ? of(loop.getLowerBound()) : lowerBounds(loop.getLowerBound());
  Bounds upper = of(resolvedSelect(loop.getUpperBound()));
  const bool isUp = matchPattern(loop.getStep(), m_One());
  if (loop.getUnsignedCmp()) {
    lower = arithmetic.notNegative(lower);
    upper = arithmetic.notNegative(upper);
  }
  Bounds bounds = unknown(variable);
  if (!isUp || (loop.getUnsignedCmp() && !(lower.isBounded() && upper.isBounded())))
    return bounds;
  for (const Polynomial &sum : lower.lower())
    arithmetic.addLeast(bounds, sum);
  for (const Polynomial &sum : upper.upper())
    if (std::optional<Polynomial> last = Polynomial::subtract(sum, Polynomial::constant(1)))
      arithmetic.addMost(bounds, *last);
  merge(bounds.needs, lower.needs);
  merge(bounds.needs, upper.needs);
  return bounds;
}

Bounds Analysis::compute(BlockArgument argument) {
  auto type = dyn_cast<IntegerType>(argument.getType());
  if (!type || type.getWidth() == 1 || type.getWidth() > 64)
    return unknown(argument);
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<KernelOp>(parent))
    return Bounds::exactly(symbols.argument(argument));
  const unsigned index = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (argument == loop.getInductionVar())
      return inductionVariable(loop);
    const unsigned number = index - loop.getNumInductionVars();
    const Value first = loop.getInitArgs()[number], next = loop.getYieldedValues()[number];
    if (std::optional<Bounds> bounds = summed(loop, argument, first, next))
      return *bounds;
    return carried(argument, first, next);
  }
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (!loop)
    return unknown(argument);
  if (argument.getOwner() == loop.getBeforeBody())
    return carried(argument, loop.getInits()[index], loop.getYieldOp().getOperand(index));
  if (std::optional<Bounds> bounds = ofRange(loop, argument))
    return *bounds;
  return of(loop.getConditionOp().getArgs()[index]);
}

Bounds Analysis::ofResult(OpResult result) {
  const unsigned index = result.getResultNumber();
  BlockArgument argument;
  Bounds bounds;
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    argument = loop.getRegionIterArg(index);
    bounds = carried(argument, loop.getInitArgs()[index], loop.getYieldedValues()[index]);
  } else {
    auto whileLoop = cast<scf::WhileOp>(result.getOwner());
    argument = dyn_cast<BlockArgument>(whileLoop.getConditionOp().getArgs()[index]);
    if (!argument || argument.getOwner() != whileLoop.getBeforeBody())
      return {};
    const unsigned from = argument.getArgNumber();
    bounds = carried(argument, whileLoop.getInits()[from], whileLoop.getYieldOp().getOperand(from));
  }
  bounds.exact = symbols.unknown(result); // not the value of the loop's argument
  return bounds;
}

} // namespace spl::mir::bounds

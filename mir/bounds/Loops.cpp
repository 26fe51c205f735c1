// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops carry. A guess holds at the start and, if it holds at the start of a round, at its
// end.
#include "mir/bounds/Analysis.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

//===-- Places in loops --===//

void Analysis::enter(Operation *loop) {
  entered[loop] = {facts.size(), truths.size()};
  if (auto range = dyn_cast<scf::ForOp>(loop)) { // there is a round
    addFact(leader(range.getLowerBound()),
            range.getUnsignedCmp() ? CmpIPredicate::ult : CmpIPredicate::slt,
            leader(range.getUpperBound()));
    known.back() = Known();
    // The number of rounds is 0 where that of a range does not hold.
    auto count = range.getUpperBound().getDefiningOp<arith::SelectOp>();
    if (count && matchPattern(count.getFalseValue(), m_Zero()) &&
        matchPattern(range.getLowerBound(), m_Zero()))
      assume(count.getCondition(), true);
  }
}

SmallVector<Value> Analysis::conjuncts(Value condition) {
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
  // What the first round came in by holds in all of them, as long as it is of what was before.
  for (Value part : conjuncts(condition))
    if (auto carried = dyn_cast<BlockArgument>(part))
      if (carried.getOwner() == loop.getBeforeBody())
        assume(loop.getInits()[carried.getArgNumber()], true);
}

/// What holds around a loop and no more: for a look at another of its rounds than the one that we
/// are in, or at one from behind it.
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
    // What is guessed of loops within is guessed under what holds in the round that we are in.
    for (auto &[argument, guess] : analysis.guesses)
      if (loop->isProperAncestor(argument.getParentBlock()->getParentOp()))
        hidden.push_back({argument, guess});
    for (auto &[argument, guess] : hidden)
      analysis.guesses.erase(argument);
  }
  ~Around() {
    for (auto &[argument, guess] : hidden)
      analysis.guesses[argument] = std::move(guess);
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

//===-- What is carried --===//

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

Bounds Analysis::carried(BlockArgument argument, Value first, Value next) {
  Operation *loop = argument.getOwner()->getParentOp();
  Bounds guess;
  {
    Around around(*this, loop);
    guess = of(first);
  }
  guess.exact = symbols.unknown(argument);
  const Bounds floor = unknown(argument);
  while (!guess.least.empty() || !guess.most.empty()) {
    Around around(*this, loop);
    if (auto range = dyn_cast<scf::ForOp>(loop))
      enter(range);
    else
      enterBody(cast<scf::WhileOp>(loop));
    guesses[argument] = guess;
    const Bounds after = of(next);
    guesses.erase(argument);
    if (keepInductive(guess, after)) {
      merge(guess.needs, after.needs);
      break;
    }
  }
  if (guess.least.empty())
    guess.least = floor.least;
  if (guess.most.empty())
    guess.most = floor.most;
  return guess;
}

Bounds Analysis::inductionVariable(scf::ForOp loop) {
  const Value variable = loop.getInductionVar();
  Bounds lower = of(loop.getLowerBound()), upper = of(resolvedSelect(loop.getUpperBound()));
  const bool isUp = matchPattern(loop.getStep(), m_One());
  if (loop.getUnsignedCmp()) {
    lower = arithmetic.notNegative(lower);
    upper = arithmetic.notNegative(upper);
  }
  Bounds bounds = unknown(variable);
  if (!isUp || !lower.isBounded() || !upper.isBounded())
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
    return carried(argument, loop.getInitArgs()[number], loop.getYieldedValues()[number]);
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
  bounds.exact = symbols.unknown(result); // no longer what the loop carries
  return bounds;
}

} // namespace spl::mir::bounds

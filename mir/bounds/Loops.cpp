// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops carry. A guess holds at the start and, if it holds at the start of a round, at its
// end.
#include "mir/bounds/Bounds.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace spl::mir::bounds {

//===-- Places in loops --===//

void Analysis::enter(Operation *loop) {
  entered[loop] = {facts.size(), truths.size()};
  if (auto range = dyn_cast<scf::ForOp>(loop)) { // there is a round
    addFact(numbered(range.getLowerBound()),
            range.getUnsignedCmp() ? CmpIPredicate::ult : CmpIPredicate::slt,
            numbered(range.getUpperBound()));
    known.back() = Known();
    // The number of rounds is 0 where that of a range does not hold.
    auto count = range.getUpperBound().getDefiningOp<arith::SelectOp>();
    if (count && matchPattern(count.getFalseValue(), m_Zero()) &&
        matchPattern(range.getLowerBound(), m_Zero()))
      assume(count.getCondition(), true);
  }
}

/// The conditions that all must be true for \p condition to be.
static void conjuncts(Value condition, SmallVectorImpl<Value> &parts) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    conjuncts(both.getLhs(), parts);
    conjuncts(both.getRhs(), parts);
  } else {
    parts.push_back(condition);
  }
}

void Analysis::enterBody(scf::WhileOp loop) {
  const Value condition = loop.getConditionOp().getCondition();
  assume(condition, true);
  // What the first round came in by holds in all of them, as long as it is of what was before.
  SmallVector<Value> parts;
  conjuncts(condition, parts);
  for (Value part : parts)
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
  auto drop = [](SmallVectorImpl<Sum> &sums, auto holds) {
    const size_t before = sums.size();
    llvm::erase_if(sums, [&](const Sum &sum) { return !holds(sum); });
    return sums.size() == before;
  };
  bool keptLeast = drop(guess.least, [&](const Sum &sum) {
    return llvm::any_of(next.least, [&](const Sum &of) { return conditions.isAtMost(sum, of); });
  });
  bool keptMost = drop(guess.most, [&](const Sum &sum) {
    return llvm::any_of(next.most, [&](const Sum &of) { return conditions.isAtMost(of, sum); });
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
  Bounds lower = of(loop.getLowerBound()), upper = of(chosen(loop.getUpperBound()));
  const bool isUp = matchPattern(loop.getStep(), m_One());
  if (loop.getUnsignedCmp()) {
    lower = calculator.notNegative(lower);
    upper = calculator.notNegative(upper);
  }
  Bounds bounds = unknown(variable);
  if (!isUp || !lower.isBounded() || !upper.isBounded())
    return bounds;
  for (const Sum &sum : lower.lower())
    calculator.addLeast(bounds, sum);
  for (const Sum &sum : upper.upper())
    if (std::optional<Sum> last = Sum::subtract(sum, Sum::number(1)))
      calculator.addMost(bounds, *last);
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

//===-- Ranges --===//

/// What a choice comes to where it is known.
Value Analysis::chosen(Value value) {
  while (auto select = value.getDefiningOp<arith::SelectOp>()) {
    if (std::optional<Needs> needs = prove(select.getCondition(), true); needs && needs->empty())
      value = select.getTrueValue();
    else if (needs = prove(select.getCondition(), false); needs && needs->empty())
      value = select.getFalseValue();
    else
      break;
  }
  return numbered(value);
}

// A `for` over a range that counts otherwise than up by one (frontend/mirgen/GenRanges.cpp)
// carries, behind its variable or the number of its round, whether there is a round, and it may
// carry how far it is to the bound: so that no sum of it wraps where it is used.
std::optional<Bounds> Analysis::ofRange(scf::WhileOp loop, BlockArgument argument) {
  const unsigned index = argument.getArgNumber();
  auto yielded = [&](unsigned at) { return loop.getYieldOp().getOperand(at); };
  const unsigned count = loop.getInits().size();
  if (index + 1 >= count ||
      !llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
    return std::nullopt;
  SmallVector<Value> parts;
  conjuncts(loop.getConditionOp().getCondition(), parts);
  if (!llvm::is_contained(parts, loop.getBeforeArguments()[index + 1]))
    return std::nullopt;
  auto step = yielded(index).getDefiningOp<arith::AddIOp>();
  auto goesOn = yielded(index + 1).getDefiningOp<arith::CmpIOp>();
  if (!step || step.getLhs() != argument || !goesOn)
    return std::nullopt;
  auto isOutside = [&](Value value) {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  };
  Value first = loop.getInits()[index];
  Bounds bounds;
  bounds.exact = symbols.unknown(argument);

  // By rounds: from 0, one more each time, until it is the last.
  if (goesOn.getPredicate() == CmpIPredicate::ne && goesOn.getLhs() == argument &&
      matchPattern(first, m_Zero()) && matchPattern(step.getRhs(), m_One()) &&
      isOutside(goesOn.getRhs())) {
    const Bounds last = of(goesOn.getRhs());
    if (!calculator.isNotNegative(last))
      return std::nullopt;
    bounds.least = {Sum()};
    for (const Sum &sum : last.upper())
      calculator.addMost(bounds, sum);
    bounds.needs = last.needs;
    return bounds;
  }

  // By distance: what is left is bound - 1 - variable, and goes down as the variable goes up.
  if (index + 2 >= count || goesOn.getPredicate() != CmpIPredicate::uge)
    return std::nullopt;
  const Value left = loop.getAfterArguments()[index + 2];
  auto next = yielded(index + 2).getDefiningOp<arith::SubIOp>();
  const Value by = chosen(goesOn.getRhs());
  auto less = chosen(loop.getInits()[index + 2]).getDefiningOp<arith::SubIOp>();
  if (!next || next.getLhs() != left || goesOn.getLhs() != left || !less ||
      !isOutside(goesOn.getRhs()) || !isOutside(next.getRhs()) || !isOutside(step.getRhs()) ||
      chosen(next.getRhs()) != by || chosen(step.getRhs()) != by ||
      !matchPattern(less.getRhs(), m_One()))
    return std::nullopt;
  auto distance = chosen(less.getLhs()).getDefiningOp<arith::SubIOp>();
  auto some = chosen(loop.getInits()[index + 1]).getDefiningOp<arith::CmpIOp>();
  if (!distance || !some || numbered(distance.getRhs()) != numbered(first) ||
      some.getPredicate() != CmpIPredicate::slt || numbered(some.getLhs()) != numbered(first) ||
      numbered(some.getRhs()) != numbered(distance.getLhs()))
    return std::nullopt;
  const Bounds size = of(by), from = of(first), bound = of(distance.getLhs());
  std::optional<Needs> isUp = conditions.atMost(Sum::number(1), size.least);
  if (!isUp)
    return std::nullopt;
  for (const Sum &sum : from.lower())
    calculator.addLeast(bounds, sum);
  for (const Sum &sum : bound.upper())
    if (std::optional<Sum> last = Sum::subtract(sum, Sum::number(1))) {
      calculator.addMost(bounds, *last);
      // From 0 on it is a multiple of the step.
      std::optional<Sum> rounds =
          from.exact == Sum() && size.exact ? symbols.quotient(*last, *size.exact) : std::nullopt;
      if (std::optional<Sum> largest = rounds ? Sum::multiply(*rounds, *size.exact) : std::nullopt)
        calculator.addMost(bounds, *largest);
    }
  for (const Needs &needs : {size.needs, from.needs, bound.needs, *isUp})
    merge(bounds.needs, needs);
  return bounds;
}

} // namespace spl::mir::bounds

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/BreakCounters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spl::mir;

namespace {
/// The flag that a `break` clears: an argument of the loop, and the branch that computes it.
struct Flag {
  unsigned number;
  scf::IfOp branch; ///< its first region is that without the `break`
};
} // namespace

/// Whether the operation is defined, and not poison, for all values of its operands. After a
/// `break`, the condition of the loop is evaluated for the next number of the counter.
static bool isDefinedForAll(Operation &op) {
  return isa<arith::ConstantOp, arith::CmpIOp, arith::CmpFOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp>(op);
}

/// The arguments that must hold for another round.
static SmallVector<BlockArgument> conjunctsOf(Value condition) {
  SmallVector<BlockArgument> arguments;
  SmallVector<Value> rest{condition};
  while (!rest.empty() && arguments.size() + rest.size() < 8) {
    const Value part = rest.pop_back_val();
    if (auto both = part.getDefiningOp<arith::AndIOp>())
      rest.append({both.getLhs(), both.getRhs()});
    else if (auto argument = dyn_cast<BlockArgument>(part))
      arguments.push_back(argument);
  }
  return arguments;
}

static std::optional<Flag> flagOf(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  if (!llvm::equal(condition.getArgs(), loop.getBeforeArguments()) ||
      !llvm::all_of(loop.getBeforeBody()->without_terminator(), isDefinedForAll))
    return std::nullopt;
  for (BlockArgument argument : conjunctsOf(condition.getCondition())) {
    if (argument.getOwner() != loop.getBeforeBody())
      continue;
    const unsigned number = argument.getArgNumber();
    auto next = dyn_cast<OpResult>(loop.getYieldOp().getOperand(number));
    auto branch = next ? dyn_cast<scf::IfOp>(next.getOwner()) : scf::IfOp();
    if (branch && branch->getBlock() == loop.getAfterBody() &&
        matchPattern(loop.getInits()[number], m_One()) &&
        matchPattern(branch.thenYield().getOperand(next.getResultNumber()), m_One()) &&
        matchPattern(branch.elseYield().getOperand(next.getResultNumber()), m_Zero()))
      return Flag{number, branch};
  }
  return std::nullopt;
}

/// What the branch adds to the argument unless the loop is left, if it is a constant.
static std::optional<APInt> countOf(scf::WhileOp loop, unsigned number, Flag &flag) {
  auto next = dyn_cast<OpResult>(loop.getYieldOp().getOperand(number));
  const Value argument = loop.getAfterArguments()[number];
  if (!next || next.getOwner() != flag.branch || !argument.getType().isSignlessInteger() ||
      flag.branch.elseYield().getOperand(next.getResultNumber()) != argument)
    return std::nullopt;
  auto sum =
      flag.branch.thenYield().getOperand(next.getResultNumber()).getDefiningOp<arith::AddIOp>();
  APInt count;
  return sum && sum.getLhs() == argument && matchPattern(sum.getRhs(), m_ConstantInt(&count))
             ? std::optional(count)
             : std::nullopt;
}

bool spl::mir::countLastRound(scf::WhileOp loop) {
  std::optional<Flag> flag = flagOf(loop);
  if (!flag)
    return false;
  bool changed = false;
  Location loc = loop.getLoc();
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    const std::optional<APInt> count = countOf(loop, number, *flag);
    if (!count)
      continue;
    changed = true;
    const Value argument = loop.getAfterArguments()[number];
    auto constant = [&](OpBuilder &builder) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(argument.getType(), *count));
    };
    OpBuilder builder(loop.getYieldOp());
    // The number after the last round is not used if the sum wraps.
    loop.getYieldOp()->setOperand(number,
                                  arith::AddIOp::create(builder, loc, argument, constant(builder)));
    builder.setInsertionPointAfter(loop);
    Value counted = loop.getResult(number);
    Value before = arith::SubIOp::create(builder, loc, counted, constant(builder));
    Value result =
        arith::SelectOp::create(builder, loc, loop.getResult(flag->number), counted, before);
    counted.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner() != before.getDefiningOp() && use.getOwner() != result.getDefiningOp();
    });
  }
  return changed;
}

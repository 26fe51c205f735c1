// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/JoinConditions.h"
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "spl/abi/Limits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

/// The operations one after the other that compute a value.
constexpr unsigned maxDepth = 6;

/// An upper bound of a value that is never negative: of an id, a size or a constant, or a sum or
/// product of these. Returns nothing for other values.
static std::optional<int64_t> upperBoundOf(Value value, unsigned depth = maxDepth) {
  constexpr int64_t maxRow = spl::abi::maxGroups[0] * spl::abi::maxGroupSize; // of groups
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    const bool isItem =
        loop && loop->hasAttr(SplDialect::workItemsAttr) && argument == loop.getInductionVar();
    return isItem ? std::optional(maxRow) : std::nullopt;
  }
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.isNonNegative() ? std::optional(number.getSExtValue()) : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op)) {
    const Id id = intrinsic.getRow().id;
    const bool isId =
        id == Id::GroupId || id == Id::NumGroups || id == Id::LocalId || id == Id::LocalSize;
    return isId ? std::optional(spl::abi::maxGroups[0]) : std::nullopt;
  }
  if (depth == 0 || !isa<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  const std::optional<int64_t> a = upperBoundOf(op->getOperand(0), depth - 1),
                               b = a ? upperBoundOf(op->getOperand(1), depth - 1) : std::nullopt;
  int64_t most = 0;
  const bool wraps = !b || (isa<arith::AddIOp>(op) ? llvm::AddOverflow(*a, *b, most)
                                                   : llvm::MulOverflow(*a, *b, most));
  return wraps || !value.getType().isInteger(64) ? std::nullopt : std::optional(most);
}

static bool isNeverPoison(Value value, unsigned depth = maxDepth);

/// Whether the operation is arithmetic of ids and sizes that is never poison: it has no nsw or nuw
/// flag, or its result is bounded.
static bool isNeverPoison(Operation *op, unsigned depth) {
  if (isa<arith::ConstantOp, ExtentOp>(op) ||
      (isa<IntrinsicOp>(op) && op->getNumOperands() == 0 && isPure(op)))
    return true;
  if (depth == 0 || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpIOp>(op))
    return false;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  const bool hasNoFlags =
      !flags || flags.getOverflowAttr().getValue() == arith::IntegerOverflowFlags::none;
  return (hasNoFlags || upperBoundOf(op->getResult(0))) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isNeverPoison(operand, depth - 1); });
}

static bool isNeverPoison(Value value, unsigned depth) {
  if (Operation *op = value.getDefiningOp())
    return isNeverPoison(op, depth);
  // What a loop carries may be.
  auto argument = cast<BlockArgument>(value);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop ? argument == loop.getInductionVar()
              : isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Whether a branch only compares, so that it may run under any condition.
static bool onlyCompares(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [](Operation &op) { return isNeverPoison(&op, maxDepth); });
}

bool spl::mir::joinCondition(scf::IfOp op) {
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isInteger(1))
    return false;
  const Value ifTrue = op.thenYield().getOperand(0), otherwise = op.elseYield().getOperand(0);
  const bool isAnd = matchPattern(otherwise, m_Zero()), isOr = matchPattern(ifTrue, m_One());
  if (isAnd == isOr || !isNeverPoison(isAnd ? ifTrue : otherwise, maxDepth) ||
      !onlyCompares(*op.thenBlock()) || !onlyCompares(*op.elseBlock()))
    return false;
  for (Block *block : {op.thenBlock(), op.elseBlock()})
    op->getBlock()->getOperations().splice(op->getIterator(), block->getOperations(),
                                           block->begin(), std::prev(block->end()));
  OpBuilder builder(op);
  const Value a = op.getCondition(), b = isAnd ? ifTrue : otherwise;
  const Value joined = isAnd ? arith::AndIOp::create(builder, op.getLoc(), a, b).getResult()
                             : arith::OrIOp::create(builder, op.getLoc(), a, b);
  op.getResult(0).replaceAllUsesWith(joined);
  op.erase();
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/LoopLines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spl::mir {

/// How deep expressions are followed. Their operations may use one value several times.
static constexpr unsigned deepest = 8;

std::optional<Line> lineOf(Value value, scf::ForOp loop, OpBuilder &builder, unsigned depth) {
  const Location loc = value.getLoc();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(number));
  };
  if (value == loop.getInductionVar())
    return Line{constant(1), constant(0)};
  if (loop.isDefinedOutsideOfLoop(value))
    return Line{constant(0), value};
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      op->getBlock() != loop.getBody() || depth == deepest)
    return std::nullopt;
  auto make = [&](Value a, Value b) -> Value {
    OperationState state(loc, op->getName(), {a, b}, {a.getType()});
    return builder.create(state)->getResult(0);
  };
  const Value left = op->getOperand(0), right = op->getOperand(1);
  if (isa<arith::MulIOp>(op) && !loop.isDefinedOutsideOfLoop(left) &&
      !loop.isDefinedOutsideOfLoop(right))
    return std::nullopt;
  const std::optional<Line> a = lineOf(left, loop, builder, depth + 1),
                            b = lineOf(right, loop, builder, depth + 1);
  if (!a || !b)
    return std::nullopt;
  if (!isa<arith::MulIOp>(op))
    return Line{make(a->factor, b->factor), make(a->offset, b->offset)};
  const bool isLeft = !loop.isDefinedOutsideOfLoop(left);
  const Line &line = isLeft ? *a : *b;
  const Value times = isLeft ? right : left;
  return Line{make(line.factor, times), make(line.offset, times)};
}

bool movesWithVariable(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return false;
  const bool isSum = isa<arith::AddIOp>(op);
  const Value left = op->getOperand(0), right = op->getOperand(1);
  return (loop.isDefinedOutsideOfLoop(right) && movesWithVariable(left, loop)) ||
         (isSum && loop.isDefinedOutsideOfLoop(left) && movesWithVariable(right, loop));
}

} // namespace spl::mir

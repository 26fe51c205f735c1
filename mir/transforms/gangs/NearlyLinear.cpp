// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/NearlyLinear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;

// The lanes have the dividends a to a + span. If a + span does not wrap and a % b + span is below
// b, they have one quotient, and the remainders a % b to a % b + span. The divisor of the test is
// at least 1: the dividend of lane 0 may be any integer if the lane is inactive, and no division
// may trap. If b is below 1, the test does not hold, because a % 1 + span is not below 1.
void spl::mir::noteDivision(Gang &gang, Operation *op) {
  const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
  if (!isSigned && !isa<arith::DivUIOp, arith::RemUIOp>(op))
    return;
  constexpr int64_t maxStep = 256; // so that the span fits in the type
  Type type = op->getResult(0).getType();
  const LaneShape shape = gang.shapes.of(op->getOperand(0));
  if (!type.isSignlessInteger() || type.getIntOrFloatBitWidth() < 32 || !shape.isLinear() ||
      shape.getStep() < 1 || shape.getStep() > maxStep || !gang.shapes.isUniform(op->getOperand(1)))
    return;
  OpBuilder &builder = gang.builder;
  Location loc = gang.loc;
  const int64_t span = shape.getStep() * (gang.lanes - 1);
  const unsigned bits = type.getIntOrFloatBitWidth();
  const APInt last = (isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) - span;
  Value dividend = scalarOf(gang, op->getOperand(0)), divisor = scalarOf(gang, op->getOperand(1)),
        one = integer(gang, 1, type), limit = integer(gang, last.getSExtValue(), type);
  divisor = isSigned ? arith::MaxSIOp::create(builder, loc, divisor, one).getResult()
                     : arith::MaxUIOp::create(builder, loc, divisor, one).getResult();
  Value staysBelow = arith::CmpIOp::create(builder, loc, CmpIPredicate::ule, dividend, limit);
  // Signed integers pass the test only if they are not negative, so that these are unsigned.
  Value remainder = arith::RemUIOp::create(builder, loc, dividend, divisor);
  Value rest = arith::SubIOp::create(builder, loc, divisor, remainder);
  Value isWithin =
      arith::CmpIOp::create(builder, loc, CmpIPredicate::ugt, rest, integer(gang, span, type));
  Value holds = arith::AndIOp::create(builder, loc, staysBelow, isWithin);
  const bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  Value first =
      isRemainder ? remainder : arith::DivUIOp::create(builder, loc, dividend, divisor).getResult();
  gang.nearlyLinear[op->getResult(0)] = {holds, first, isRemainder ? shape.getStep() : 0};
}

/// Emits the test of an integer that is linear, without a test, or nearly is.
static std::optional<NearlyLinear> testLinear(Gang &gang, Value value, unsigned depth = 4);

/// Tests whether an integer that is extended, and is linear, does not wrap between the lanes.
static std::optional<NearlyLinear> testExtension(Gang &gang, Operation *op) {
  Value narrow = op->getOperand(0);
  const bool isSigned = isa<arith::ExtSIOp>(op);
  NearlyLinear result;
  if (auto known = gang.nearlyLinear.find(narrow); known != gang.nearlyLinear.end()) {
    // If the test holds, a signed quotient or remainder is not negative, so that both extensions
    // are the same. An unsigned one may be negative as a signed integer.
    if (isSigned && isa<arith::DivUIOp, arith::RemUIOp>(narrow.getDefiningOp()))
      return std::nullopt;
    result = known->second;
  } else if (gang.shapes.of(narrow) == LaneShape::linear(1) &&
             narrow.getType().getIntOrFloatBitWidth() >= 16) {
    Value first = scalarOf(gang, narrow);
    Value last = arith::AddIOp::create(gang.builder, gang.loc, first,
                                       integer(gang, gang.lanes - 1, first.getType()));
    Value holds = arith::CmpIOp::create(
        gang.builder, gang.loc, isSigned ? CmpIPredicate::sge : CmpIPredicate::uge, last, first);
    result = {holds, first, 1};
  } else {
    return std::nullopt;
  }
  IRMapping operand;
  operand.map(narrow, result.first);
  result.first = gang.builder.clone(*op, operand)->getResult(0);
  return result;
}

/// Tests a sum, a difference, or a product of what is the same for all lanes.
static std::optional<NearlyLinear> testArithmetic(Gang &gang, Operation *op, unsigned depth) {
  const std::optional<NearlyLinear> a = testLinear(gang, op->getOperand(0), depth),
                                    b = a ? testLinear(gang, op->getOperand(1), depth) : a;
  if (!b || (isa<arith::MulIOp>(op) && (a->step != 0 || b->step != 0)))
    return std::nullopt;
  // Without promises that it does not overflow: lane 0 may be inactive.
  OperationState state(gang.loc, op->getName(), {a->first, b->first}, op->getResultTypes());
  Value first = gang.builder.create(state)->getResult(0);
  Value holds = a->holds && b->holds
                    ? arith::AndIOp::create(gang.builder, gang.loc, a->holds, b->holds).getResult()
                    : (a->holds ? a->holds : b->holds);
  const uint64_t stepA = uint64_t(a->step), stepB = uint64_t(b->step);
  return NearlyLinear{holds, first,
                      int64_t(isa<arith::SubIOp>(op) ? stepA - stepB : stepA + stepB)};
}

static std::optional<NearlyLinear> testLinear(Gang &gang, Value value, unsigned depth) {
  if (const LaneShape shape = gang.shapes.of(value); shape.isLinear())
    return NearlyLinear{Value(), scalarOf(gang, value), shape.getStep()};
  if (auto known = gang.nearlyLinear.find(value); known != gang.nearlyLinear.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op))
    return testExtension(gang, op);
  if (depth != 0 && isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
      value.getType().isSignlessInteger())
    return testArithmetic(gang, op, depth - 1);
  return std::nullopt;
}

std::optional<AdjacencyTest> spl::mir::testScalars(Gang &gang, ValueRange indices, Type element) {
  if (isa<VectorType>(element))
    return std::nullopt;
  AdjacencyTest result;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    const std::optional<NearlyLinear> test = testLinear(gang, index);
    if (!test || test->step != (axis + 1 == indices.size() ? 1 : 0))
      return std::nullopt;
    result.first.push_back(test->first);
    if (!result.holds)
      result.holds = test->holds;
    else if (test->holds)
      result.holds = arith::AndIOp::create(gang.builder, gang.loc, result.holds, test->holds);
  }
  return result;
}

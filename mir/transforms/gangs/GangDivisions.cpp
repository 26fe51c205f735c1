// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/GangDivisions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl::mir;

bool spl::mir::isSlowDivision(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  APInt divisor;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
    return true;
  return divisor.getBitWidth() > 32 && !divisor.isPowerOf2();
}

static bool isSigned(Operation *op) { return isa<arith::DivSIOp, arith::RemSIOp>(op); }

static Value quotientOfFloats(Gang &gang, Operation *op, Value dividend, Value divisor) {
  Type integers = dividend.getType();
  VectorType floats = laneType(gang, gang.builder.getF64Type());
  // Unsigned integers of 64 bits are below 2^52 here, so that the conversion from signed integers,
  // which is faster, gives the same.
  const bool asSigned = isSigned(op) || getElementTypeOrSelf(integers).isInteger(64);
  auto toFloat = [&](Value value) -> Value {
    if (asSigned)
      return arith::SIToFPOp::create(gang.builder, gang.loc, floats, value);
    return arith::UIToFPOp::create(gang.builder, gang.loc, floats, value);
  };
  Value quotient =
      arith::DivFOp::create(gang.builder, gang.loc, toFloat(dividend), toFloat(divisor));
  quotient = asSigned
                 ? arith::FPToSIOp::create(gang.builder, gang.loc, integers, quotient).getResult()
                 : arith::FPToUIOp::create(gang.builder, gang.loc, integers, quotient).getResult();
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return quotient;
  Value product = arith::MulIOp::create(gang.builder, gang.loc, quotient, divisor);
  return arith::SubIOp::create(gang.builder, gang.loc, dividend, product);
}

/// The lanes whose integer is below 2^52, and at least -2^52 if it is signed.
static Value fitsIn(Gang &gang, Value value, bool isSigned) {
  constexpr int64_t bound = int64_t(1) << 52;
  Value limit = integer(gang, isSigned ? 2 * bound : bound, value.getType());
  if (isSigned)
    value =
        arith::AddIOp::create(gang.builder, gang.loc, value, integer(gang, bound, value.getType()));
  return arith::CmpIOp::create(gang.builder, gang.loc, arith::CmpIPredicate::ult, value, limit);
}

/// The operation as it is, with a divisor of 1 in inactive lanes.
static Value divideEachLane(Gang &gang, Operation *op, Value dividend, Value divisor) {
  if (gang.mask) {
    Value one = integer(gang, 1, divisor.getType());
    dividend = arith::SelectOp::create(gang.builder, gang.loc, gang.mask, dividend, one);
    divisor = arith::SelectOp::create(gang.builder, gang.loc, gang.mask, divisor, one);
  }
  Operation *copy = op->clone();
  copy->setOperands({dividend, divisor});
  copy->getResult(0).setType(dividend.getType());
  gang.builder.insert(copy);
  return copy->getResult(0);
}

/// Divides as f64, or lane by lane if an integer of an active lane does not fit.
static Value divideVectors(Gang &gang, Operation *op, Value dividend, Value divisor) {
  Type type = dividend.getType();
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() <= 32)
    return quotientOfFloats(gang, op, dividend, divisor);
  Value fit = arith::AndIOp::create(gang.builder, gang.loc, fitsIn(gang, dividend, isSigned(op)),
                                    fitsIn(gang, divisor, isSigned(op)));
  return emitEither(
             gang, allOfActive(gang, fit), type,
             [&] { return Values{quotientOfFloats(gang, op, dividend, divisor)}; },
             [&] { return Values{divideEachLane(gang, op, dividend, divisor)}; })
      .front();
}

Value spl::mir::emitDivision(Gang &gang, Operation *op, Value dividend, Value divisor) {
  auto divide = [&] { return Values{divideVectors(gang, op, dividend, divisor)}; };
  auto known = gang.nearlyLinear.find(op->getResult(0));
  if (known == gang.nearlyLinear.end())
    return divide().front();
  const NearlyLinear &test = known->second;
  auto spread = [&] {
    Value lanes = everywhere(gang, test.first);
    Value numbers = laneNumbers(gang, test.first.getType(), test.step);
    return Values{arith::AddIOp::create(gang.builder, gang.loc, lanes, numbers)};
  };
  return emitEither(gang, test.holds, dividend.getType(), spread, divide).front();
}

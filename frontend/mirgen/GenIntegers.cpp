// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on integers: everything wraps, nothing is undefined but what a check has refused.
#include "frontend/mirgen/FunctionGen.h"
#include "frontend/mirgen/IntegerPower.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;
using syntax::BinaryOp;

Value FunctionGen::emitIntegerOp(BinaryOp op, bool isSigned, Location location, Value lhs,
                                 Value rhs) {
  switch (op) {
    // clang-format off
  case BinaryOp::Add: return arith::AddIOp::create(builder, location, lhs, rhs);
  case BinaryOp::Sub: return arith::SubIOp::create(builder, location, lhs, rhs);
  case BinaryOp::Mul: return arith::MulIOp::create(builder, location, lhs, rhs);
  case BinaryOp::BitAnd: return arith::AndIOp::create(builder, location, lhs, rhs);
  case BinaryOp::BitOr: return arith::OrIOp::create(builder, location, lhs, rhs);
  case BinaryOp::BitXor: return arith::XOrIOp::create(builder, location, lhs, rhs);
  // clang-format on
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return emitDivision(op, isSigned, location, lhs, rhs);
  case BinaryOp::Pow:
    return emitPower(isSigned, location, lhs, rhs);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
  case BinaryOp::And:
  case BinaryOp::Or:
    break;
  }
  llvm_unreachable("no operator on two integers of one type");
}

void FunctionGen::emitCheck(Value condition, mir::FaultKind kind, ValueRange details,
                            Location location, StringAttr subject, bool isUnsigned) {
  if (function.traits.isUnchecked)
    return;
  auto check = mir::CheckOp::create(builder, location, condition, kind, details, subject);
  check.setIsUnsigned(isUnsigned);
}

//===-- Division --===//

Value FunctionGen::allOf(Value mask, Location location) {
  auto type = dyn_cast<VectorType>(mask.getType());
  if (!type)
    return mask;
  Value all;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value holds = vector::ExtractOp::create(builder, location, mask, lane);
    all = all ? Value(arith::AndIOp::create(builder, location, all, holds)) : holds;
  }
  return all;
}

Value FunctionGen::emitDivision(BinaryOp op, bool isSigned, Location location, Value lhs,
                                Value rhs) {
  Type type = lhs.getType();
  bool isDiv = op == BinaryOp::Div;
  APInt divisor;
  bool isConstant = matchPattern(rhs, m_ConstantInt(&divisor));
  if (!isConstant || divisor.isZero()) {
    Value zero = integer(type, 0, location);
    Value ok = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, rhs, zero);
    ok = allOf(ok, location);
    emitCheck(ok, mir::FaultKind::DivisionByZero, {}, location);
  }
  if (!isSigned)
    return isDiv ? Value(arith::DivUIOp::create(builder, location, lhs, rhs))
                 : Value(arith::RemUIOp::create(builder, location, lhs, rhs));
  auto divide = [&](Value by) {
    return isDiv ? Value(arith::DivSIOp::create(builder, location, lhs, by))
                 : Value(arith::RemSIOp::create(builder, location, lhs, by));
  };
  if (isConstant && !divisor.isAllOnes())
    return divide(rhs);

  // MIN / -1 overflows, so -1 is never divided by: x / -1 is -x, wrapped, and x % -1 is x % 1.
  Value minusOne = integer(type, -1, location);
  Value isMinusOne =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, rhs, minusOne);
  Value one = integer(type, 1, location);
  Value result = divide(arith::SelectOp::create(builder, location, isMinusOne, one, rhs));
  if (!isDiv)
    return result;
  Value zero = integer(type, 0, location);
  Value negated = arith::SubIOp::create(builder, location, zero, lhs);
  return arith::SelectOp::create(builder, location, isMinusOne, negated, result);
}

//===-- Shifts and powers --===//

// Widths are powers of two, so the count modulo the width is its low bits, also of a negative
// count.
Value FunctionGen::emitShift(BinaryOp op, bool isSigned, Location location, Value lhs,
                             Value count) {
  Type type = lhs.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value mask = integer(count.getType(), width - 1, location);
  count = builder.createOrFold<arith::AndIOp>(location, count, mask);
  count = emitIntegerCast(count, /*isSigned=*/false, type, location);
  if (op == BinaryOp::Shl)
    return arith::ShLIOp::create(builder, location, lhs, count);
  if (isSigned)
    return arith::ShRSIOp::create(builder, location, lhs, count);
  return arith::ShRUIOp::create(builder, location, lhs, count);
}

Value FunctionGen::emitPower(bool isSigned, Location location, Value base, Value exponent) {
  Type type = base.getType();
  if (auto vector = dyn_cast<VectorType>(type)) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      lanes.push_back(emitPower(isSigned, location,
                                builder.createOrFold<vector::ExtractOp>(location, base, lane),
                                builder.createOrFold<vector::ExtractOp>(location, exponent, lane)));
    return vector::FromElementsOp::create(builder, location, vector, lanes);
  }
  constexpr uint64_t maxUnrolled = 64;
  APInt constant;
  bool isConstant = matchPattern(exponent, m_ConstantInt(&constant));
  if (isConstant && constant.ule(maxUnrolled))
    return emitConstantPower(builder, location, base, constant.getZExtValue());
  if (isSigned && !(isConstant && constant.isNonNegative())) {
    Value zero = integer(type, 0, location);
    Value ok = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sge, exponent, zero);
    Value shown = emitIntegerCast(exponent, isSigned, builder.getI64Type(), location);
    emitCheck(ok, mir::FaultKind::NegativeExponent, shown, location);
  }
  auto helper = module.powHelper(type.getIntOrFloatBitWidth(), location);
  return mir::CallOp::create(builder, location, type, helper, ValueRange{base, exponent},
                             /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr())
      .getResult(0);
}

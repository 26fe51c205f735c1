// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on integers: everything wraps, nothing is undefined but what a check has refused.
#include "frontend/mirgen/IntegerPower.h"
#include "frontend/mirgen/Operators.h"
#include "frontend/mirgen/Places.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static Value emitDivision(FunctionContext &fn, syntax::BinaryOp op, bool isSigned,
                          Location location, Value lhs, Value rhs);
static Value emitPower(FunctionContext &fn, bool isSigned, Location location, Value base,
                       Value exponent);
using syntax::BinaryOp;

Value mirgen::emitIntegerOp(FunctionContext &fn, BinaryOp op, bool isSigned, Location location,
                            Value lhs, Value rhs) {
  switch (op) {
    // clang-format off
  case BinaryOp::Add: return arith::AddIOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::Sub: return arith::SubIOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::Mul: return arith::MulIOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::BitAnd: return arith::AndIOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::BitOr: return arith::OrIOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::BitXor: return arith::XOrIOp::create(fn.builder, location, lhs, rhs);
  // clang-format on
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return emitDivision(fn, op, isSigned, location, lhs, rhs);
  case BinaryOp::Pow:
    return emitPower(fn, isSigned, location, lhs, rhs);
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

void mirgen::emitCheck(FunctionContext &fn, Value condition, mir::FaultKind kind,
                       ValueRange details, Location location, StringAttr subject, bool isUnsigned) {
  if (fn.isUnchecked())
    return;
  auto check = mir::CheckOp::create(fn.builder, location, condition, kind, details, subject);
  check.setIsUnsigned(isUnsigned);
}

//===-- Division --===//

/// Whether all lanes of a mask are set; of an i1 itself.
static Value allOf(FunctionContext &fn, Value mask, Location location) {
  auto type = dyn_cast<VectorType>(mask.getType());
  if (!type)
    return mask;
  Value all;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value holds = vector::ExtractOp::create(fn.builder, location, mask, lane);
    all = all ? Value(arith::AndIOp::create(fn.builder, location, all, holds)) : holds;
  }
  return all;
}

static Value emitDivision(FunctionContext &fn, BinaryOp op, bool isSigned, Location location,
                          Value lhs, Value rhs) {
  Type type = lhs.getType();
  bool isDiv = op == BinaryOp::Div;
  APInt divisor;
  bool isConstant = matchPattern(rhs, m_ConstantInt(&divisor));
  if (!isConstant || divisor.isZero()) {
    Value zero = fn.integer(type, 0, location);
    Value ok = arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::ne, rhs, zero);
    ok = allOf(fn, ok, location);
    emitCheck(fn, ok, mir::FaultKind::DivisionByZero, {}, location);
  }
  if (!isSigned)
    return isDiv ? Value(arith::DivUIOp::create(fn.builder, location, lhs, rhs))
                 : Value(arith::RemUIOp::create(fn.builder, location, lhs, rhs));
  auto divide = [&](Value by) {
    return isDiv ? Value(arith::DivSIOp::create(fn.builder, location, lhs, by))
                 : Value(arith::RemSIOp::create(fn.builder, location, lhs, by));
  };
  if (isConstant && !divisor.isAllOnes())
    return divide(rhs);

  // MIN / -1 overflows, so -1 is never divided by: x / -1 is -x, wrapped, and x % -1 is x % 1.
  Value minusOne = fn.integer(type, -1, location);
  Value isMinusOne =
      arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::eq, rhs, minusOne);
  Value one = fn.integer(type, 1, location);
  Value result = divide(arith::SelectOp::create(fn.builder, location, isMinusOne, one, rhs));
  if (!isDiv)
    return result;
  Value zero = fn.integer(type, 0, location);
  Value negated = arith::SubIOp::create(fn.builder, location, zero, lhs);
  return arith::SelectOp::create(fn.builder, location, isMinusOne, negated, result);
}

//===-- Shifts and powers --===//

// Widths are powers of two, so the count modulo the width is its low bits, also of a negative
// count.
Value mirgen::emitShift(FunctionContext &fn, BinaryOp op, bool isSigned, Location location,
                        Value lhs, Value count) {
  Type type = lhs.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value mask = fn.integer(count.getType(), width - 1, location);
  count = fn.builder.createOrFold<arith::AndIOp>(location, count, mask);
  count = emitIntegerCast(fn, count, /*isSigned=*/false, type, location);
  if (op == BinaryOp::Shl)
    return arith::ShLIOp::create(fn.builder, location, lhs, count);
  if (isSigned)
    return arith::ShRSIOp::create(fn.builder, location, lhs, count);
  return arith::ShRUIOp::create(fn.builder, location, lhs, count);
}

static Value emitPower(FunctionContext &fn, bool isSigned, Location location, Value base,
                       Value exponent) {
  Type type = base.getType();
  if (auto vector = dyn_cast<VectorType>(type)) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      lanes.push_back(emitPower(
          fn, isSigned, location, fn.builder.createOrFold<vector::ExtractOp>(location, base, lane),
          fn.builder.createOrFold<vector::ExtractOp>(location, exponent, lane)));
    return vector::FromElementsOp::create(fn.builder, location, vector, lanes);
  }
  constexpr uint64_t maxUnrolled = 64;
  APInt constant;
  bool isConstant = matchPattern(exponent, m_ConstantInt(&constant));
  if (isConstant && constant.ule(maxUnrolled))
    return emitConstantPower(fn.builder, location, base, constant.getZExtValue());
  if (isSigned && !(isConstant && constant.isNonNegative())) {
    Value zero = fn.integer(type, 0, location);
    Value ok =
        arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::sge, exponent, zero);
    Value shown = emitIntegerCast(fn, exponent, isSigned, fn.builder.getI64Type(), location);
    emitCheck(fn, ok, mir::FaultKind::NegativeExponent, shown, location);
  }
  auto helper = fn.module.powHelper(type.getIntOrFloatBitWidth(), location);
  return mir::CallOp::create(fn.builder, location, type, helper, ValueRange{base, exponent},
                             /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr())
      .getResult(0);
}

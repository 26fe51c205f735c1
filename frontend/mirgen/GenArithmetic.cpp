// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators: unary ones, comparisons, float arithmetic; those on integers are in GenIntegers.cpp.
#include "frontend/mirgen/Comparisons.h"
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;
using syntax::BinaryOp;

Value FunctionGen::emitUnary(const sema::UnaryExpr &expr) {
  Location location = locationOf(expr);
  Value operand = emitExpr(*expr.operand);
  switch (expr.op) {
  case syntax::UnaryOp::Neg: {
    if (expr.type.lane().isFloat())
      return arith::NegFOp::create(builder, location, operand);
    Value zero = integer(operand.getType(), 0, location);
    return arith::SubIOp::create(builder, location, zero, operand);
  }
  case syntax::UnaryOp::BitNot:
  case syntax::UnaryOp::Not: {
    Value all = integer(operand.getType(), expr.type.lane().isBool() ? 1 : -1, location);
    return arith::XOrIOp::create(builder, location, operand, all);
  }
  }
  llvm_unreachable("a unary operator");
}

Value FunctionGen::emitBinary(const sema::BinaryExpr &expr) {
  Location location = locationOf(expr);
  Value lhs = emitExpr(*expr.lhs);
  Value rhs = emitExpr(*expr.rhs);
  sema::Type type = expr.lhs->type.lane();
  if (syntax::isComparison(expr.op))
    return emitCompare(expr.op, type, location, lhs, rhs);
  if (type.isFloat())
    return emitFloatOp(expr.op, location, lhs, rhs);
  if (syntax::isShift(expr.op))
    return emitShift(expr.op, type.isSignedInt(), location, lhs, rhs);
  return emitIntegerOp(expr.op, type.isSignedInt(), location, lhs, rhs);
}

//===-- Comparisons --===//

Value FunctionGen::emitCompare(BinaryOp op, sema::Type type, Location location, Value lhs,
                               Value rhs) {
  const Comparison comparison = comparisonOf(op);
  if (type.lane().isFloat())
    return arith::CmpFOp::create(builder, location, comparison.onFloats, lhs, rhs);
  bool isSigned = type.lane().isSignedInt() || type.isEnum();
  return arith::CmpIOp::create(builder, location,
                               isSigned ? comparison.onSigned : comparison.onUnsigned, lhs, rhs);
}

//===-- Floats --===//

Value FunctionGen::emitFloatOp(BinaryOp op, Location location, Value lhs, Value rhs) {
  auto call = [&](intrinsics::Id id) -> Value {
    return mir::IntrinsicOp::create(builder, location, lhs.getType(), intrinsics::row(id).name,
                                    ValueRange{lhs, rhs}, IntegerAttr())
        .getResult();
  };
  switch (op) {
  // clang-format off
  case BinaryOp::Add: return arith::AddFOp::create(builder, location, lhs, rhs);
  case BinaryOp::Sub: return arith::SubFOp::create(builder, location, lhs, rhs);
  case BinaryOp::Mul: return arith::MulFOp::create(builder, location, lhs, rhs);
  case BinaryOp::Div: return arith::DivFOp::create(builder, location, lhs, rhs);
  case BinaryOp::Rem: return call(intrinsics::Id::Fmod);
  case BinaryOp::Pow: return call(intrinsics::Id::Pow);
  // clang-format on
  case BinaryOp::Shl:
  case BinaryOp::Shr:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
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
  llvm_unreachable("no operator on floats");
}

Value FunctionGen::emitFma(const sema::FmaExpr &expr) {
  Location location = locationOf(expr);
  Value c = expr.addendFirst ? emitExpr(*expr.c) : Value();
  Value a = emitExpr(*expr.a);
  Value b = emitExpr(*expr.b);
  if (!c)
    c = emitExpr(*expr.c);
  if (expr.negateProduct)
    a = arith::NegFOp::create(builder, location, a);
  if (expr.negateAddend)
    c = arith::NegFOp::create(builder, location, c);
  return math::FmaOp::create(builder, location, a, b, c);
}

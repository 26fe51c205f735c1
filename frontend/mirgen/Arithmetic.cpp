// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators: unary ones, comparisons, float arithmetic; those on integers are in GenIntegers.cpp.
#include "frontend/mirgen/Comparisons.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Operators.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static Value emitFloatOp(FunctionContext &fn, syntax::BinaryOp op, Location location, Value lhs,
                         Value rhs);
using syntax::BinaryOp;

Value mirgen::emitUnary(FunctionContext &fn, const sema::UnaryExpr &expr) {
  Location location = fn.locationOf(expr);
  Value operand = emitExpr(fn, *expr.operand);
  switch (expr.op) {
  case syntax::UnaryOp::Neg: {
    if (expr.type.lane().isFloat())
      return arith::NegFOp::create(fn.builder, location, operand);
    Value zero = fn.integer(operand.getType(), 0, location);
    return arith::SubIOp::create(fn.builder, location, zero, operand);
  }
  case syntax::UnaryOp::BitNot:
  case syntax::UnaryOp::Not: {
    Value all = fn.integer(operand.getType(), expr.type.lane().isBool() ? 1 : -1, location);
    return arith::XOrIOp::create(fn.builder, location, operand, all);
  }
  }
  llvm_unreachable("a unary operator");
}

Value mirgen::emitBinary(FunctionContext &fn, const sema::BinaryExpr &expr) {
  Location location = fn.locationOf(expr);
  Value lhs = emitExpr(fn, *expr.lhs);
  Value rhs = emitExpr(fn, *expr.rhs);
  sema::Type type = expr.lhs->type.lane();
  if (syntax::isComparison(expr.op))
    return emitCompare(fn, expr.op, type, location, lhs, rhs);
  if (type.isFloat())
    return emitFloatOp(fn, expr.op, location, lhs, rhs);
  if (syntax::isShift(expr.op))
    return emitShift(fn, expr.op, type.isSignedInt(), location, lhs, rhs);
  return emitIntegerOp(fn, expr.op, type.isSignedInt(), location, lhs, rhs);
}

//===-- Comparisons --===//

Value mirgen::emitCompare(FunctionContext &fn, BinaryOp op, sema::Type type, Location location,
                          Value lhs, Value rhs) {
  const Comparison comparison = comparisonOf(op);
  if (type.lane().isFloat())
    return arith::CmpFOp::create(fn.builder, location, comparison.onFloats, lhs, rhs);
  bool isSigned = type.lane().isSignedInt() || type.isEnum();
  return arith::CmpIOp::create(fn.builder, location,
                               isSigned ? comparison.onSigned : comparison.onUnsigned, lhs, rhs);
}

//===-- Floats --===//

static Value emitFloatOp(FunctionContext &fn, BinaryOp op, Location location, Value lhs,
                         Value rhs) {
  auto call = [&](intrinsics::Id id) -> Value {
    return mir::IntrinsicOp::create(fn.builder, location, lhs.getType(), intrinsics::row(id).name,
                                    ValueRange{lhs, rhs}, IntegerAttr())
        .getResult();
  };
  switch (op) {
    // clang-format off
  case BinaryOp::Add: return arith::AddFOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::Sub: return arith::SubFOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::Mul: return arith::MulFOp::create(fn.builder, location, lhs, rhs);
  case BinaryOp::Div: return arith::DivFOp::create(fn.builder, location, lhs, rhs);
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

Value mirgen::emitFma(FunctionContext &fn, const sema::FmaExpr &expr) {
  Location location = fn.locationOf(expr);
  Value c = expr.addendFirst ? emitExpr(fn, *expr.c) : Value();
  Value a = emitExpr(fn, *expr.a);
  Value b = emitExpr(fn, *expr.b);
  if (!c)
    c = emitExpr(fn, *expr.c);
  if (expr.negateProduct)
    a = arith::NegFOp::create(fn.builder, location, a);
  if (expr.negateAddend)
    c = arith::NegFOp::create(fn.builder, location, c);
  return math::FmaOp::create(fn.builder, location, a, b, c);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `as` between scalars and lane by lane, and what passes as a slice.
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Operators.h"
#include "frontend/mirgen/Places.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Value mirgen::emitIntegerCast(FunctionContext &fn, Value value, bool isSigned, Type to,
                              Location location) {
  unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  unsigned bits = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  if (from == bits)
    return value;
  if (from > bits)
    return fn.builder.createOrFold<arith::TruncIOp>(location, to, value);
  if (isSigned)
    return fn.builder.createOrFold<arith::ExtSIOp>(location, to, value);
  return fn.builder.createOrFold<arith::ExtUIOp>(location, to, value);
}

Value mirgen::emitCast(FunctionContext &fn, const sema::CastExpr &expr) {
  Location location = fn.locationOf(expr);
  if (expr.type.isSlice()) { // of a slice, or the elements of an array
    Value elements = emitElements(fn, *expr.operand);
    return expr.type.isMut() ? elements : readOnly(fn, elements, location);
  }
  Value value = emitExpr(fn, *expr.operand);
  if (expr.operand->type == expr.type)
    return value;
  sema::Type from = expr.operand->type.lane(), to = expr.type.lane();
  Type type = fn.module.type(expr.type);
  if (from.isFloat() && to.isFloat()) {
    if (from.bits() == to.bits()) { // f16 and bf16: f32 holds both
      Type single = fn.builder.getF32Type();
      if (auto vector = dyn_cast<VectorType>(type))
        single = vector.clone(single);
      value = arith::ExtFOp::create(fn.builder, location, single, value);
    }
    if (from.bits() < to.bits())
      return arith::ExtFOp::create(fn.builder, location, type, value);
    return arith::TruncFOp::create(fn.builder, location, type, value);
  }
  if (from.isFloat())
    return mir::FloatToIntOp::create(fn.builder, location, type, value, to.isUnsignedInt());
  if (to.isFloat()) {
    if (from.isSignedInt())
      return arith::SIToFPOp::create(fn.builder, location, type, value);
    return arith::UIToFPOp::create(fn.builder, location, type, value);
  }
  return emitIntegerCast(fn, value, from.isSignedInt() || from.isEnum(), type, location);
}

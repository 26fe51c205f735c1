// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `as` between scalars and lane by lane, and what passes as a slice.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Value FunctionGen::emitIntegerCast(Value value, bool isSigned, Type to, Location location) {
  unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  unsigned bits = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  if (from == bits)
    return value;
  if (from > bits)
    return builder.createOrFold<arith::TruncIOp>(location, to, value);
  if (isSigned)
    return builder.createOrFold<arith::ExtSIOp>(location, to, value);
  return builder.createOrFold<arith::ExtUIOp>(location, to, value);
}

Value FunctionGen::emitCast(const sema::CastExpr &expr) {
  Location location = locationOf(expr);
  if (expr.type.isSlice()) { // of a slice, or the elements of an array
    Value elements = emitElements(*expr.operand);
    return expr.type.isMut() ? elements : readOnly(elements, location);
  }
  Value value = emitExpr(*expr.operand);
  if (expr.operand->type == expr.type)
    return value;
  sema::Type from = expr.operand->type.lane(), to = expr.type.lane();
  Type type = module.type(expr.type);
  if (from.isFloat() && to.isFloat()) {
    if (from.bits() == to.bits()) { // f16 and bf16: f32 holds both
      Type single = builder.getF32Type();
      if (auto vector = dyn_cast<VectorType>(type))
        single = vector.clone(single);
      value = arith::ExtFOp::create(builder, location, single, value);
    }
    if (from.bits() < to.bits())
      return arith::ExtFOp::create(builder, location, type, value);
    return arith::TruncFOp::create(builder, location, type, value);
  }
  if (from.isFloat())
    return mir::FloatToIntOp::create(builder, location, type, value, to.isUnsignedInt());
  if (to.isFloat()) {
    if (from.isSignedInt())
      return arith::SIToFPOp::create(builder, location, type, value);
    return arith::UIToFPOp::create(builder, location, type, value);
  }
  return emitIntegerCast(value, from.isSignedInt() || from.isEnum(), type, location);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `as` between scalars, and read-only views of slices.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Value FunctionGen::emitIntegerCast(Value value, bool isSigned, Type to, Location location) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), bits = to.getIntOrFloatBitWidth();
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
  Value value = emitExpr(*expr.operand);
  sema::Type from = expr.operand->type, to = expr.type;
  if (from == to)
    return value;
  Type type = module.type(to);
  if (from.isSlice())
    return mir::ReadOnlyOp::create(builder, location, type, value);
  if (from.isFloat() && to.isFloat()) {
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
  return emitIntegerCast(value, from.isSignedInt(), type, location);
}

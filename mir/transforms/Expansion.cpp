// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Expansion.h"
#include "mir/transforms/GroupOperations.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace spl::mir {

bool Expansion::run() {
  if (op.getRow().id == Id::Sincos)
    return replace({call(Id::Sin, operand(0)), call(Id::Cos, operand(0))});
  for (auto family :
       {&Expansion::expandIds, &Expansion::expandElementary, &Expansion::expandGamma,
        &Expansion::expandFloats, &Expansion::expandClasses, &Expansion::expandIntegers, &Expansion::expandVectors})
    if (Value value = (this->*family)())
      return replace(value);
  return false;
}

bool Expansion::replace(ValueRange values) {
  op->replaceAllUsesWith(values);
  return true;
}

//===-- Places, and what a group does together --===//

Value Expansion::expandIds() {
  auto alongAxis = [&](Id id) -> Value {
    IntrinsicOp made = IntrinsicOp::create(builder, loc, op.getType(), intrinsics::row(id).name,
                                           ValueRange(), op.getAxisAttr(), /*isUnsigned=*/false);
    return made.getResult();
  };
  constexpr auto noOverflow = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  switch (op.getRow().id) {
  case Id::GlobalId: {
    Value group = alongAxis(Id::GroupId), size = alongAxis(Id::LocalSize);
    Value first = make<arith::MulIOp>(group, size, noOverflow);
    return make<arith::AddIOp>(first, alongAxis(Id::LocalId), noOverflow);
  }
  case Id::GlobalSize: {
    Value groups = alongAxis(Id::NumGroups), size = alongAxis(Id::LocalSize);
    return make<arith::MulIOp>(groups, size, noOverflow);
  }
  case Id::WarpSize:
    return integer(32, builder.getI64Type());
  case Id::WarpId:
    return make<arith::ShRUIOp>(flatLocalId(op, builder), integer(5, builder.getI64Type()));
  case Id::GroupSum:
  case Id::GroupMin:
  case Id::GroupMax:
  case Id::GroupScan:
  case Id::GroupBroadcast:
    return expandGroupOperation(op, index, builder);
  default:
    return {};
  }
}

//===-- Floats of 16 bits --===//

bool Expansion::runWidened() {
  if (op.getRow().id == Id::Fma)
    return replace(fusedInHalf());
  Type half = getElementTypeOrSelf(operand(0)), f32 = builder.getF32Type();
  auto isHalf = [&](Type type) { return getElementTypeOrSelf(type) == half; };
  SmallVector<Value> operands;
  for (Value value : op.getOperands())
    operands.push_back(isHalf(value.getType())
                           ? make<arith::ExtFOp>(withElement(value.getType(), f32), value)
                           : value);
  SmallVector<Type> results;
  for (Type type : op.getResultTypes())
    results.push_back(isHalf(type) ? withElement(type, f32) : type);
  made.push_back(IntrinsicOp::create(builder, loc, results, op.getName(), operands,
                                     op.getAxisAttr(), op.getIsUnsigned()));
  SmallVector<Value> rounded;
  for (auto [value, type] : llvm::zip(made.back().getResults(), op.getResultTypes()))
    rounded.push_back(isHalf(type) ? make<arith::TruncFOp>(type, value) : Value(value));
  return replace(rounded);
}

// In f64 the product is exact. A sum that is not is made odd, so that it lies on the right side of
// what lies half way between two numbers of 16 bits.
Value Expansion::fusedInHalf() {
  Type wide = withElement(op.getType(), builder.getF64Type());
  auto widened = [&](unsigned index) { return make<arith::ExtFOp>(wide, operand(index)); };
  Value product = mul(widened(0), widened(1)), addend = widened(2);
  Value sum = add(product, addend), part = sub(sum, product);
  Value error = add(sub(product, sub(sum, part)), sub(addend, part));
  Value zero = number(0, sum), sumBits = bits(sum);
  Type integers = sumBits.getType();
  // One up in magnitude where what is missing has the sum's sign, else one down.
  Value isUp = make<arith::CmpIOp>(arith::CmpIPredicate::eq, less(zero, error), less(zero, sum));
  Value step = select(isUp, integer(1, integers), integer(-1, integers));
  Value isOdd = make<arith::TruncIOp>(withElement(wide, builder.getI1Type()), sumBits);
  Value isExact = make<arith::OrIOp>(compare(arith::CmpFPredicate::UEQ, error, zero), isOdd);
  Value odd = select(isExact, sumBits, make<arith::AddIOp>(sumBits, step));
  return make<arith::TruncFOp>(op.getType(), make<arith::BitcastOp>(wide, odd));
}

//===-- What expansions are written in --===//

static Value constant(OpBuilder &builder, Location loc, Type type, TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(builder, loc, element);
}

Value Expansion::number(double value, Value like) {
  Type type = like.getType();
  return constant(builder, loc, type, builder.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value Expansion::integer(int64_t value, Type type) {
  return constant(builder, loc, type, builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Type Expansion::withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

Type Expansion::bitsType(Type type) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return withElement(type, builder.getIntegerType(width));
}

Value Expansion::bits(Value value) {
  return make<arith::BitcastOp>(bitsType(value.getType()), value);
}

Value Expansion::call(Id id, ValueRange operands) {
  made.push_back(IntrinsicOp::create(builder, loc, operands.front().getType(),
                                     intrinsics::row(id).name, operands, IntegerAttr(),
                                     op.getIsUnsigned()));
  return made.back().getResult();
}

} // namespace spl::mir

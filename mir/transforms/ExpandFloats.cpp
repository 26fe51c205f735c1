// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands functions of floats to a few operations, and functions that test a float's bits.
#include "mir/transforms/Expansion.h"

using namespace mlir;

namespace spl::mir {
namespace {

class Floats : public Expansion {
public:
  explicit Floats(const Expansion &expansion) : Expansion(expansion) {}
  Value run();

private:
  Value sign();
  Value ldexp();
};

class FloatBits : public Expansion {
public:
  explicit FloatBits(const Expansion &expansion) : Expansion(expansion) {}
  Value run();
};

} // namespace

Value Floats::run() {
  switch (op.getRow().id) {
  case Id::Clamp:
    return call(Id::Min, {call(Id::Max, {operand(0), operand(1)}), operand(2)});
  case Id::Sign:
    return sign();
  case Id::Fract:
    return sub(operand(0), call(Id::Floor, operand(0)));
  case Id::Ldexp:
    return ldexp();
  case Id::Mix: {
    Value a = operand(0), b = operand(1), t = operand(2);
    return fma(t, b, fma(neg(t), a, a));
  }
  case Id::Step:
    return select(less(operand(1), operand(0)), number(0), number(1));
  case Id::Smoothstep: {
    Value lo = operand(0), hi = operand(1), x = operand(2);
    Value t = call(Id::Clamp, {div(sub(x, lo), sub(hi, lo)), number(0), number(1)});
    return mul(mul(t, t), fma(number(-2), t, number(3)));
  }
  case Id::Relu:
    return call(Id::Max, {operand(0), number(0)});
  case Id::Select:
    return select(operand(0), operand(1), operand(2));
  default:
    return {};
  }
}

Value FloatBits::run() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (op.getRow().id) {
  case Id::Isnan:
    return isNan(operand(0));
  case Id::Isinf:
    return same(abs(operand(0)), number(infinity));
  case Id::Isfinite:
    return less(abs(operand(0)), number(infinity));
  case Id::Signbit: {
    Value bits = this->bits(operand(0));
    return make<arith::CmpIOp>(arith::CmpIPredicate::slt, bits, integer(0, bits.getType()));
  }
  default:
    return {};
  }
}

Value Floats::sign() {
  Value x = operand(0);
  Type type = x.getType();
  if (isa<FloatType>(getElementTypeOrSelf(type))) {
    Value isItself = compare(arith::CmpFPredicate::UEQ, x, number(0)); // zero or NaN
    return select(isItself, x, call(Id::Copysign, {number(1), x}));
  }
  Value zero = integer(0, type), one = integer(1, type);
  if (op.getIsUnsigned())
    return select(make<arith::CmpIOp>(arith::CmpIPredicate::eq, x, zero), zero, one);
  Value isBelow = make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, zero);
  Value isAbove = make<arith::CmpIOp>(arith::CmpIPredicate::sgt, x, zero);
  return select(isBelow, integer(-1, type), select(isAbove, one, zero));
}

// Multiplies by 2 to the power of n in three steps, because one power of two may exceed the range
// of the type. A result may be rounded only once. Therefore the first two steps scale down so
// little that their products stay normal, or that their rounding has no effect on the last product.
Value Floats::ldexp() {
  Value x = operand(0), count = operand(1);
  const int64_t most = isDouble() ? 1023 : 127, digits = isDouble() ? 53 : 24;
  const int64_t least = -(most - 1) + digits, bound = 3 * most;

  // Converts the exponent to i32, and limits it to a range outside of which the result does not
  // change.
  Type given = count.getType(), i32 = withElement(given, builder.getI32Type());
  unsigned width = getElementTypeOrSelf(given).getIntOrFloatBitWidth();
  if (width >= 16) { // narrower types cannot exceed the limits
    Value high = integer(bound, given), low = integer(-bound, given);
    count = op.getIsUnsigned() ? make<arith::MinUIOp>(count, high)
                               : make<arith::MaxSIOp>(make<arith::MinSIOp>(count, high), low);
  }
  if (width > 32)
    count = make<arith::TruncIOp>(i32, count);
  else if (width < 32)
    count =
        op.getIsUnsigned() ? make<arith::ExtUIOp>(i32, count) : make<arith::ExtSIOp>(i32, count);

  Type words = bitsType(x.getType());
  auto power = [&](Value exponent) {
    Value biased = make<arith::AddIOp>(exponent, integer(most, i32));
    if (isDouble())
      biased = make<arith::ExtUIOp>(words, biased);
    Value shifted = make<arith::ShLIOp>(biased, integer(digits - 1, words));
    return make<arith::BitcastOp>(x.getType(), shifted);
  };
  auto isBeyond = [&](arith::CmpIPredicate predicate, int64_t limit) {
    return make<arith::CmpIOp>(predicate, count, integer(limit, i32));
  };
  for (int step = 0; step != 2; ++step) {
    Value down =
        select(isBeyond(arith::CmpIPredicate::slt, 1 - most), integer(least, i32), integer(0, i32));
    Value part = select(isBeyond(arith::CmpIPredicate::sgt, most), integer(most, i32), down);
    x = mul(x, power(part));
    count = make<arith::SubIOp>(count, part);
  }
  Value part =
      make<arith::MaxSIOp>(make<arith::MinSIOp>(count, integer(most, i32)), integer(1 - most, i32));
  return mul(x, power(part));
}

Value expandFloats(const Expansion &expansion) { return Floats(expansion).run(); }
Value expandFloatBits(const Expansion &expansion) { return FloatBits(expansion).run(); }

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Float16Emulation.h"

using namespace mlir;

namespace spl::mir {

using arith::CmpFPredicate;
using arith::CmpIPredicate;

//===-- To and from f32 --===//

Value Float16Emulator::widen(Value half) {
  if (support(half.getType()) != Float16Support::None)
    return make<arith::ExtFOp>(inF32(half), half);
  return getElementTypeOrSelf(half).isF16() ? widenF16(half) : widenBf16(half);
}

Value Float16Emulator::narrow(Value single, Type half) {
  if (support(half) != Float16Support::None)
    return make<arith::TruncFOp>(half, single);
  return getElementTypeOrSelf(half).isF16() ? narrowF16(single, half) : narrowBf16(single, half);
}

// bf16 is the upper half of f32.
Value Float16Emulator::widenBf16(Value half) {
  Value word = make<arith::ExtUIOp>(inI32(half), bits(half));
  return make<arith::BitcastOp>(inF32(half), make<arith::ShLIOp>(word, integer(16, inI32(half))));
}

// Rounds to nearest, ties to even: adds half a unit of the last place, minus one bit if the last
// place is even.
Value Float16Emulator::narrowBf16(Value single, Type half) {
  Value word = bits(single), sixteen = integer(16, word.getType());
  Value upper = make<arith::ShRUIOp>(word, sixteen);
  Value odd = make<arith::AndIOp>(upper, integer(1, word.getType()));
  Value moved = make<arith::AddIOp>(word, make<arith::AddIOp>(odd, integer(0x7fff, odd.getType())));
  Value rounded = make<arith::ShRUIOp>(moved, sixteen);
  Value isNan = make<arith::CmpFOp>(CmpFPredicate::UNO, single, single);
  Value quiet = make<arith::OrIOp>(upper, integer(0x40, word.getType()));
  Value result = select(isNan, quiet, rounded);
  Type shorts = withElement(half, builder.getI16Type());
  return make<arith::BitcastOp>(half, make<arith::TruncIOp>(shorts, result));
}

namespace {
constexpr int32_t exponentOf(int32_t exponent) { return (exponent + 127) << 23; }
/// The number of bits of mantissa that f32 has in addition to f16.
constexpr int32_t extraBits = 13;
} // namespace

// The bias of the exponent is 15 in f16 and 127 in f32. A subnormal gets the exponent of the
// smallest normal number, and the subtraction of that number removes the implicit leading one.
Value Float16Emulator::widenF16(Value half) {
  Type words = inI32(half), floats = inF32(half);
  Value word = make<arith::ExtUIOp>(words, bits(half));
  Value sign =
      make<arith::ShLIOp>(make<arith::AndIOp>(word, integer(0x8000, words)), integer(16, words));
  Value magnitude = make<arith::AndIOp>(word, integer(0x7fff, words));
  Value places = make<arith::ShLIOp>(magnitude, integer(extraBits, words));
  Value moved = make<arith::AddIOp>(places, integer((127 - 15) << 23, words));
  Value isSubnormal = make<arith::CmpIOp>(CmpIPredicate::ult, magnitude, integer(0x0400, words));
  Value subnormal =
      make<arith::BitcastOp>(floats, make<arith::OrIOp>(places, integer(exponentOf(-14), words)));
  subnormal = bits(make<arith::SubFOp>(subnormal, number(0x1p-14, floats)));
  Value isSpecial = make<arith::CmpIOp>(CmpIPredicate::uge, magnitude, integer(0x7c00, words));
  Value special = make<arith::OrIOp>(places, integer(0x7f800000, words));
  Value result = select(isSpecial, special, select(isSubnormal, subnormal, moved));
  return make<arith::BitcastOp>(floats, make<arith::OrIOp>(result, sign));
}

// A subnormal result is rounded by an addition: the last place of the sum is the last place of a
// subnormal f16.
Value Float16Emulator::narrowF16(Value single, Type half) {
  Value word = bits(single);
  Type words = word.getType();
  Value magnitude = make<arith::AndIOp>(word, integer(0x7fffffff, words));
  auto isBelow = [&](int32_t bound) {
    return make<arith::CmpIOp>(CmpIPredicate::ult, magnitude, integer(bound, words));
  };
  Value added = make<arith::AddFOp>(make<arith::BitcastOp>(single.getType(), magnitude),
                                    number(0x1p-1, single.getType()));
  Value subnormal = make<arith::SubIOp>(bits(added), integer(exponentOf(-1), words));

  Value odd = make<arith::AndIOp>(make<arith::ShRUIOp>(magnitude, integer(extraBits, words)),
                                  integer(1, words));
  Value moved = make<arith::AddIOp>(magnitude, integer(((15 - 127) << 23) + 0xfff, words));
  Value normal = make<arith::ShRUIOp>(make<arith::AddIOp>(moved, odd), integer(extraBits, words));

  Value isNan = make<arith::CmpFOp>(CmpFPredicate::UNO, single, single);
  Value special = select(isNan, integer(0x7e00, words), integer(0x7c00, words));
  Value result =
      select(isBelow(exponentOf(-14)), subnormal, select(isBelow(exponentOf(16)), normal, special));
  Value sign =
      make<arith::AndIOp>(make<arith::ShRUIOp>(word, integer(16, words)), integer(0x8000, words));
  Type shorts = withElement(half, builder.getI16Type());
  Value whole = make<arith::TruncIOp>(shorts, make<arith::OrIOp>(result, sign));
  return make<arith::BitcastOp>(half, whole);
}

Value Float16Emulator::negate(Value half) {
  Value shorts = bits(half);
  Value negated = make<arith::XOrIOp>(shorts, integer(-0x8000, shorts.getType()));
  return make<arith::BitcastOp>(half.getType(), negated);
}

//===-- Operations in a wider type that round once --===//

// Rounds to odd: a value that is not exact becomes the neighbour whose last bit is 1. f32 has more
// than two additional bits, so the result is on the same side of each halfway point between two
// 16-bit floats as the exact value.
Value Float16Emulator::oddSingle(Value wide, Value missing) {
  Value single = make<arith::TruncFOp>(inF32(wide), wide);
  Value error = make<arith::SubFOp>(wide, make<arith::ExtFOp>(inF64(wide), single));
  if (missing) // smaller than any other error
    error = make<arith::AddFOp>(error, missing);
  Value word = bits(single), one = integer(1, word.getType()), zero = integer(0, word.getType());
  Value none = number(0, error.getType());
  Value isBelow = make<arith::CmpFOp>(CmpFPredicate::OLT, error, none);
  Value isNegative = make<arith::CmpIOp>(CmpIPredicate::slt, word, zero);
  Value isUp = make<arith::CmpIOp>(CmpIPredicate::eq, isBelow, isNegative); // in magnitude
  Value neighbour = make<arith::AddIOp>(word, select(isUp, one, integer(-1, word.getType())));
  Value isExact = make<arith::CmpFOp>(CmpFPredicate::UEQ, error, none); // also for infinity and NaN
  Value isOdd = make<arith::CmpIOp>(CmpIPredicate::ne, make<arith::AndIOp>(word, one), zero);
  Value odd = select(make<arith::OrIOp>(isExact, isOdd), word, neighbour);
  return make<arith::BitcastOp>(single.getType(), odd);
}

// Converts the integer to f32 or f64, then to the type of 16 bits. If the integer has more than 24
// or 53 digits, its low bits are first combined to one bit, as in rounding to odd. For f16 this is
// not needed, because such integers overflow to infinity.
Value Float16Emulator::fromInteger(Value value, bool isUnsigned, Type half) {
  Type type = value.getType();
  const int64_t width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  const bool isBf16 = getElementTypeOrSelf(half).isBF16();
  const bool isLong = width == 64 && isBf16;
  if (width >= 32 && isBf16) {
    const int64_t digits = isLong ? 53 : 24, dropped = width - digits, bound = int64_t(1) << digits;
    Value low = integer((int64_t(1) << dropped) - 1, type);
    Value lost = make<arith::AndIOp>(value, low);
    Value kept = make<arith::AndIOp>(value, integer(-(int64_t(1) << dropped), type));
    Value isLost = make<arith::CmpIOp>(CmpIPredicate::ne, lost, integer(0, type));
    Value odd = make<arith::OrIOp>(
        kept, select(isLost, integer(int64_t(1) << dropped, type), integer(0, type)));
    // -bound <= value < bound, in one comparison
    Value shifted = isUnsigned ? value : make<arith::AddIOp>(value, integer(bound, type));
    Value isHeld = make<arith::CmpIOp>(CmpIPredicate::ult, shifted,
                                       integer(isUnsigned ? bound : 2 * bound, type));
    value = select(isHeld, value, odd);
  }
  Type wide = withElement(type, isLong ? Type(builder.getF64Type()) : builder.getF32Type());
  Value held = isUnsigned ? make<arith::UIToFPOp>(wide, value) : make<arith::SIToFPOp>(wide, value);
  Value narrowed = isLong ? narrowDouble(held, half) : narrow(held, half);
  return isBf16 || width <= 16 ? narrowed : overflowing(value, narrowed, isUnsigned);
}

// LLVM's InstCombine assumes that the conversion of an integer to half is exact if the integer has
// few significant bits. 1 << 20 has few, but overflows to infinity. If another conversion follows,
// InstCombine drops the one to half. Therefore a selection makes the infinity.
Value Float16Emulator::overflowing(Value number, Value converted, bool isUnsigned) {
  constexpr int64_t least = 65520; // rounds up to 65536, which is too large
  Type type = number.getType(), half = converted.getType();
  auto infinity = [&](bool isNegative) -> Value {
    const auto element = cast<FloatType>(getElementTypeOrSelf(half));
    const auto infinite =
        FloatAttr::get(element, APFloat::getInf(element.getFloatSemantics(), isNegative));
    auto vector = dyn_cast<VectorType>(half);
    return arith::ConstantOp::create(
        builder, loc, vector ? TypedAttr(DenseElementsAttr::get(vector, infinite)) : infinite);
  };
  auto compare = [&](CmpIPredicate predicate, int64_t bound) {
    return make<arith::CmpIOp>(predicate, number, integer(bound, type));
  };
  if (!isUnsigned)
    converted = select(compare(CmpIPredicate::sle, -least), infinity(true), converted);
  return select(compare(isUnsigned ? CmpIPredicate::uge : CmpIPredicate::sge, least),
                infinity(false), converted);
}

// The product is exact in f64. If the sum is not exact, the product and the addend differ greatly
// in magnitude. For f16, the rounding error of the sum then does not matter. For bf16 it may decide
// on which side of a halfway point the sum is, so it is computed as well (missing).
Value Float16Emulator::fma(Value a, Value b, Value c) {
  auto wide = [&](Value value) { return make<arith::ExtFOp>(inF64(value), widen(value)); };
  Value product = make<arith::MulFOp>(wide(a), wide(b)), addend = wide(c);
  Value sum = make<arith::AddFOp>(product, addend);
  if (getElementTypeOrSelf(a).isF16())
    return narrowDouble(sum, a.getType());
  Value part = make<arith::SubFOp>(sum, product);
  Value ofProduct = make<arith::SubFOp>(product, make<arith::SubFOp>(sum, part));
  Value ofAddend = make<arith::SubFOp>(addend, part);
  Value missing = make<arith::AddFOp>(ofProduct, ofAddend);
  return narrow(oddSingle(sum, missing), a.getType());
}

} // namespace spl::mir

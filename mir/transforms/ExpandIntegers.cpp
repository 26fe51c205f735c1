// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands functions of the bits of integers.
#include "mir/transforms/Expansion.h"

using namespace mlir;

namespace spl::mir {
namespace {

class Integers : public Expansion {
public:
  explicit Integers(const Expansion &expansion) : Expansion(expansion) {}
  Value run();

private:
  Value rotate(bool isLeft);
  Value funnel(bool isLeft);
  Value mulhi();
  Value bytePermute();
  Value dp4a();
  Value countInType();
};

} // namespace

Value Integers::run() {
  switch (op.getRow().id) {
  case Id::Rotl:
    return rotate(/*isLeft=*/true);
  case Id::Rotr:
    return rotate(/*isLeft=*/false);
  case Id::FunnelLeft:
    return funnel(/*isLeft=*/true);
  case Id::FunnelRight:
    return funnel(/*isLeft=*/false);
  case Id::BytePermute:
    return bytePermute();
  case Id::Dp4a:
    return dp4a();
  case Id::Mulhi:
    return mulhi();
  default:
    return {};
  }
}

// The last operand, modulo the width of the first one. The width divides 256, so a count of any
// type and sign can be truncated.
Value Integers::countInType() {
  Value count = op.getOperands().back();
  Type type = operand(0).getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  unsigned countWidth = getElementTypeOrSelf(count).getIntOrFloatBitWidth();
  if (countWidth > width)
    count = make<arith::TruncIOp>(type, count);
  else if (countWidth < width)
    count = make<arith::ExtUIOp>(type, count);
  return make<arith::AndIOp>(count, integer(width - 1, type));
}

// Emits a form that LLVM recognises as a rotation.
Value Integers::rotate(bool isLeft) {
  Value x = operand(0), count = countInType();
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value back =
      make<arith::AndIOp>(make<arith::SubIOp>(integer(0, type), count), integer(width - 1, type));
  return make<arith::OrIOp>(make<arith::ShLIOp>(x, isLeft ? count : back),
                            make<arith::ShRUIOp>(x, isLeft ? back : count));
}

// Emits a form that LLVM recognises as a funnel shift. A shift by the width is undefined, so the
// other half is shifted by one and then by the rest.
Value Integers::funnel(bool isLeft) {
  Value high = operand(0), low = operand(1), count = countInType();
  Type type = high.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value one = integer(1, type);
  Value rest = make<arith::XOrIOp>(count, integer(width - 1, type));
  if (isLeft)
    return make<arith::OrIOp>(make<arith::ShLIOp>(high, count),
                              make<arith::ShRUIOp>(make<arith::ShRUIOp>(low, one), rest));
  return make<arith::OrIOp>(make<arith::ShLIOp>(make<arith::ShLIOp>(high, one), rest),
                            make<arith::ShRUIOp>(low, count));
}

Value Integers::bytePermute() {
  Type word = operand(0).getType(), wide = builder.getI64Type();
  Value high = make<arith::ShLIOp>(make<arith::ExtUIOp>(wide, operand(1)), integer(32, wide));
  Value both = make<arith::OrIOp>(high, make<arith::ExtUIOp>(wide, operand(0)));
  Value result;
  for (unsigned place = 0; place != 4; ++place) {
    Value selector = make<arith::ShRUIOp>(operand(2), integer(4 * place, word));
    Value from = make<arith::AndIOp>(selector, integer(7, word));
    Value shift = make<arith::ExtUIOp>(wide, make<arith::ShLIOp>(from, integer(3, word)));
    Value byte = make<arith::TruncIOp>(builder.getI8Type(), make<arith::ShRUIOp>(both, shift));
    Value sign = make<arith::ShRSIOp>(byte, integer(7, builder.getI8Type()));
    Value isSign =
        make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                            make<arith::AndIOp>(selector, integer(8, word)), integer(0, word));
    Value part = make<arith::ShLIOp>(make<arith::ExtUIOp>(word, select(isSign, sign, byte)),
                                     integer(8 * place, word));
    result = place == 0 ? part : make<arith::OrIOp>(result, part);
  }
  return result;
}

Value Integers::dp4a() {
  Type word = operand(0).getType(), narrow = builder.getI8Type();
  auto byte = [&](Value from, unsigned place) -> Value {
    Value low = make<arith::TruncIOp>(narrow, make<arith::ShRUIOp>(from, integer(8 * place, word)));
    if (op.getIsUnsigned())
      return make<arith::ExtUIOp>(word, low);
    return make<arith::ExtSIOp>(word, low);
  };
  Value sum = operand(2);
  for (unsigned place = 0; place != 4; ++place)
    sum = make<arith::AddIOp>(
        sum, make<arith::MulIOp>(byte(operand(0), place), byte(operand(1), place)));
  return sum;
}

Value Integers::mulhi() {
  Value a = operand(0), b = operand(1);
  if (op.getIsUnsigned())
    return arith::MulUIExtendedOp::create(builder, loc, a, b).getHigh();
  return arith::MulSIExtendedOp::create(builder, loc, a, b).getHigh();
}

Value expandIntegers(const Expansion &expansion) { return Integers(expansion).run(); }

} // namespace spl::mir

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
  Value mulhi();
};

} // namespace

Value Integers::run() {
  switch (op.getRow().id) {
  case Id::Rotl:
    return rotate(/*isLeft=*/true);
  case Id::Rotr:
    return rotate(/*isLeft=*/false);
  case Id::Mulhi:
    return mulhi();
  default:
    return {};
  }
}

// Emits a form that LLVM recognises as a rotation. The width divides 256, so a count of any type
// and sign can be truncated.
Value Integers::rotate(bool isLeft) {
  Value x = operand(0), count = operand(1);
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  unsigned countWidth = getElementTypeOrSelf(count).getIntOrFloatBitWidth();
  if (countWidth > width)
    count = make<arith::TruncIOp>(type, count);
  else if (countWidth < width)
    count = make<arith::ExtUIOp>(type, count);
  Value mask = integer(width - 1, type);
  Value forth = make<arith::AndIOp>(count, mask);
  Value back = make<arith::AndIOp>(make<arith::SubIOp>(integer(0, type), count), mask);
  return make<arith::OrIOp>(make<arith::ShLIOp>(x, isLeft ? forth : back),
                            make<arith::ShRUIOp>(x, isLeft ? back : forth));
}

Value Integers::mulhi() {
  Value a = operand(0), b = operand(1);
  if (op.getIsUnsigned())
    return arith::MulUIExtendedOp::create(builder, loc, a, b).getHigh();
  return arith::MulSIExtendedOp::create(builder, loc, a, b).getHigh();
}

Value expandIntegers(const Expansion &expansion) { return Integers(expansion).run(); }

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitwise logic, shifts and bit fields.
#include "test/ptxsim/ops/Lanes.h"

#include <algorithm>

namespace ptxsim {
namespace {

struct AndOp {
  template <class T> static T eval(T a, T b) { return a & b; }
};
struct OrOp {
  template <class T> static T eval(T a, T b) { return a | b; }
};
struct XorOp {
  template <class T> static T eval(T a, T b) { return a ^ b; }
};
struct NotOp {
  template <class T> static T eval(T a) { return static_cast<T>(~a); }
};
struct CnotOp {
  template <class T> static T eval(T a) { return a == 0; }
};

/// A predicate has the value 0 or 1.
struct PredNotOp {
  static std::uint64_t eval(std::uint64_t a) { return a ^ 1; }
};

template <class Op, class PredOp, int Arity> void logic(Decoder &decoder) {
  const Type type = decoder.takeType();
  if constexpr (Arity == 1)
    decoder.assign(type, {type});
  else
    decoder.assign(type, {type, type});
  if (type == Type::Pred)
    decoder.inst.run = apply<PredOp, std::uint64_t, Arity>;
  else
    decoder.inst.run =
        pickBits(decoder, type, []<class T>(T) -> Handler { return apply<Op, T, Arity>; });
}

/// Three operand bits form an index into a table of 8 bits; the entry is the result bit.
void lop3(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) {
    Value result = 0;
    for (unsigned index = 0; index != 8; ++index)
      if (inst.immediate >> index & 1)
        result |= (index & 4 ? a[lane] : ~a[lane]) & (index & 2 ? b[lane] : ~b[lane]) &
                  (index & 1 ? c[lane] : ~c[lane]);
    d[lane] = result & lowBits(32);
  });
}

/// The count has 32 bits for every type. A count beyond the width shifts all bits out.
template <class T, bool IsLeft> void shift(Warp &warp, const Inst &inst, Lanes lanes) {
  constexpr unsigned width = 8 * sizeof(T);
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]);
  forLanes(lanes, [&](unsigned lane) {
    const T value = get<T>(a[lane]);
    const auto count = get<std::uint32_t>(b[lane]);
    T result;
    if constexpr (IsLeft)
      result = count >= width ? T(0) : static_cast<T>(std::uint64_t(value) << count);
    else
      result = count >= width ? static_cast<T>(value < 0 ? -1 : 0) : static_cast<T>(value >> count);
    d[lane] = bitsIn(result);
  });
}

template <bool IsLeft> void decodeShift(Decoder &decoder) {
  const Type type = decoder.takeType();
  decoder.assign(type, {type, Type::U32});
  if (kindOf(type) == Kind::Bits || IsLeft)
    decoder.inst.run =
        pickBits(decoder, type, []<class T>(T) -> Handler { return shift<T, IsLeft>; });
  else
    decoder.inst.run =
        pickInteger(decoder, type, []<class T>(T) -> Handler { return shift<T, IsLeft>; });
}

void funnel(Warp &warp, const Inst &inst, Lanes lanes) {
  const bool isLeft = inst.mode & 1, clamps = inst.mode & 2;
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) {
    const Value both = b[lane] << 32 | a[lane];
    const auto asked = get<std::uint32_t>(c[lane]);
    const unsigned count = clamps ? std::min(asked, 32U) : asked & 31;
    d[lane] =
        (isLeft ? (count == 32 ? a[lane] : both << count >> 32) : both >> count) & lowBits(32);
  });
}

/// Selects four of the eight bytes of two words.
void permute(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) {
    const Value both = b[lane] << 32 | a[lane];
    Value result = 0;
    for (unsigned i = 0; i != 4; ++i) {
      const unsigned low = static_cast<unsigned>(c[lane] & 3);
      unsigned selector;
      switch (inst.mode) {
      case 1: // f4e
        selector = i + low;
        break;
      case 2: // b4e
        selector = (low - i) & 7;
        break;
      case 3: // rc8
        selector = low;
        break;
      case 4: // ecl
        selector = std::max(i, low);
        break;
      case 5: // ecr
        selector = std::min(i, low);
        break;
      case 6: // rc16
        selector = (low & 1) * 2 + (i & 1);
        break;
      default:
        selector = static_cast<unsigned>(c[lane] >> (4 * i) & 15);
      }
      Value byte = both >> (8 * (selector & 7)) & 0xff;
      if (selector & 8) // fill the byte with its sign bit
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    d[lane] = result;
  });
}

//===-- Counting --===//

/// Op::eval(T) returns a 32-bit number.
template <class Op, class T> void count(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  forLanes(lanes,
           [&](unsigned lane) { d[lane] = static_cast<std::uint32_t>(Op::eval(get<T>(a[lane]))); });
}

struct PopcOp {
  template <class T> static int eval(T a) { return std::popcount(a); }
};
struct ClzOp {
  template <class T> static int eval(T a) { return std::countl_zero(a); }
};
/// The position of the highest bit that differs from the sign, or all ones if there is none.
struct BfindOp {
  template <class T> static int eval(T a) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a);
    return std::bit_width(bits) - 1;
  }
};
/// The shift that moves that bit to the highest position.
struct BfindShiftOp {
  template <class T> static int eval(T a) {
    const int place = BfindOp::eval(a);
    return place < 0 ? -1 : static_cast<int>(8 * sizeof(T)) - 1 - place;
  }
};
struct BrevOp {
  template <class T> static T eval(T a) {
    T result = 0;
    for (unsigned i = 0; i != 8 * sizeof(T); ++i)
      result |= (a >> i & 1) << (8 * sizeof(T) - 1 - i);
    return result;
  }
};

template <class Op> void decodeCount(Decoder &decoder) {
  const Type type = decoder.takeType();
  if (bitsOf(type) < 32)
    decoder.unknown("it takes 32 and 64 bits");
  decoder.assign(Type::U32, {type});
  decoder.inst.run = pickBits(decoder, type, []<class T>(T) -> Handler { return count<Op, T>; });
}

//===-- Fields --===//

template <class T> void extract(Warp &warp, const Inst &inst, Lanes lanes) {
  constexpr unsigned top = 8 * sizeof(T) - 1;
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) {
    const Value value = a[lane];
    const unsigned start = b[lane] & 0xff, length = c[lane] & 0xff;
    const bool sign =
        std::is_signed_v<T> && length != 0 && (value >> std::min(start + length - 1, top) & 1) != 0;
    Value result = 0;
    for (unsigned i = 0; i <= top; ++i)
      result |= Value(i < length && start + i <= top ? value >> (start + i) & 1 : Value(sign)) << i;
    d[lane] = result;
  });
}

template <class T> void insert(Warp &warp, const Inst &inst, Lanes lanes) {
  constexpr unsigned top = 8 * sizeof(T) - 1;
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]), *e = warp.source(inst.rows[4]);
  forLanes(lanes, [&](unsigned lane) {
    const unsigned start = c[lane] & 0xff, length = e[lane] & 0xff;
    Value result = b[lane];
    for (unsigned i = 0; i < length && start + i <= top; ++i)
      result = (result & ~(Value(1) << (start + i))) | (a[lane] >> i & 1) << (start + i);
    d[lane] = result;
  });
}

} // namespace

void decodeAnd(Decoder &decoder) { logic<AndOp, AndOp, 2>(decoder); }
void decodeOr(Decoder &decoder) { logic<OrOp, OrOp, 2>(decoder); }
void decodeXor(Decoder &decoder) { logic<XorOp, XorOp, 2>(decoder); }
void decodeNot(Decoder &decoder) { logic<NotOp, PredNotOp, 1>(decoder); }
void decodeCnot(Decoder &decoder) { logic<CnotOp, PredNotOp, 1>(decoder); }

void decodeLop3(Decoder &decoder) {
  if (decoder.takeType() != Type::B32)
    decoder.unknown("it takes .b32");
  decoder.needOperands(5);
  for (std::size_t i = 1; i != 4; ++i)
    decoder.inst.rows[i] = decoder.read(decoder.operand(i), Type::B32);
  decoder.inst.rows[0] = decoder.write(decoder.operand(0), Type::B32);
  decoder.inst.immediate = decoder.immediate(4);
  decoder.inst.run = lop3;
}

void decodeShl(Decoder &decoder) { decodeShift<true>(decoder); }
void decodeShr(Decoder &decoder) { decodeShift<false>(decoder); }

void decodeShf(Decoder &decoder) {
  decoder.inst.mode = decoder.needOneOf({"l", "r"}) == 0 ? 1 : 0;
  decoder.inst.mode |= decoder.needOneOf({"clamp", "wrap"}) == 0 ? 2 : 0;
  if (decoder.takeType() != Type::B32)
    decoder.unknown("it takes .b32");
  decoder.assign(Type::B32, {Type::B32, Type::B32, Type::U32});
  decoder.inst.run = funnel;
}

void decodePrmt(Decoder &decoder) {
  if (decoder.takeType() != Type::B32)
    decoder.unknown("it takes .b32");
  if (auto mode = decoder.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}))
    decoder.inst.mode = static_cast<std::uint8_t>(*mode + 1);
  decoder.assign(Type::B32, {Type::B32, Type::B32, Type::B32});
  decoder.inst.run = permute;
}

void decodePopc(Decoder &decoder) { decodeCount<PopcOp>(decoder); }
void decodeClz(Decoder &decoder) { decodeCount<ClzOp>(decoder); }

void decodeBfind(Decoder &decoder) {
  const Type type = decoder.takeType();
  const bool asShift = decoder.take("shiftamt");
  if (bitsOf(type) < 32)
    decoder.unknown("it takes 32 and 64 bits");
  decoder.assign(Type::U32, {type});
  decoder.inst.run = pickInteger(decoder, type, [=]<class T>(T) -> Handler {
    return asShift ? count<BfindShiftOp, T> : count<BfindOp, T>;
  });
}

void decodeBrev(Decoder &decoder) {
  const Type type = decoder.takeType();
  if (bitsOf(type) < 32)
    decoder.unknown("it takes .b32 and .b64");
  decoder.assign(type, {type});
  decoder.inst.run =
      pickBits(decoder, type, []<class T>(T) -> Handler { return apply<BrevOp, T, 1>; });
}

void decodeBfe(Decoder &decoder) {
  const Type type = decoder.takeType();
  if (bitsOf(type) < 32)
    decoder.unknown("it takes 32 and 64 bits");
  decoder.assign(type, {type, Type::U32, Type::U32});
  decoder.inst.run = pickInteger(decoder, type, []<class T>(T) -> Handler { return extract<T>; });
}

void decodeBfi(Decoder &decoder) {
  const Type type = decoder.takeType();
  if (bitsOf(type) < 32)
    decoder.unknown("it takes .b32 and .b64");
  decoder.assign(type, {type, type, Type::U32, Type::U32});
  decoder.inst.run = pickBits(decoder, type, []<class T>(T) -> Handler { return insert<T>; });
}

} // namespace ptxsim

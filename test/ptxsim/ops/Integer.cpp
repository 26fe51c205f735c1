// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic.
#include "test/ptxsim/ops/Carry.h"
#include "test/ptxsim/ops/Lanes.h"

#include <algorithm>
#include <limits>

namespace ptxsim {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
__extension__ using Wide = __int128;

// Sums and products have 128 bits. The low half wraps, the high half is the result of .hi.
struct AddOp {
  template <class T> static T eval(T a, T b) { return static_cast<T>(Wide(a) + b); }
};
struct SubOp {
  template <class T> static T eval(T a, T b) { return static_cast<T>(Wide(a) - b); }
};
struct LowOp {
  template <class T> static T eval(T a, T b) {
    return static_cast<T>(std::uint64_t(a) * std::uint64_t(b));
  }
};
struct HighOp {
  template <class T> static T eval(T a, T b) {
    if constexpr (std::is_same_v<T, std::uint64_t>)
      return static_cast<T>(static_cast<unsigned __int128>(a) * b >> 64);
    else
      return static_cast<T>(Wide(a) * b >> (8 * sizeof(T)));
  }
};
template <class Product> struct MadOp {
  template <class T> static T eval(T a, T b, T c) { return AddOp::eval(Product::eval(a, b), c); }
};
struct MadSatOp {
  static std::int32_t eval(std::int32_t a, std::int32_t b, std::int32_t c) {
    const Wide sum = Wide(HighOp::eval(a, b)) + c;
    return static_cast<std::int32_t>(std::clamp<Wide>(sum, std::numeric_limits<std::int32_t>::min(),
                                                      std::numeric_limits<std::int32_t>::max()));
  }
};
// Division by zero is undefined. Hardware returns all ones.
struct DivOp {
  template <class T> static T eval(T a, T b) {
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(Wide(a) / b);
  }
};
struct RemOp {
  template <class T> static T eval(T a, T b) { return b == 0 ? a : static_cast<T>(Wide(a) % b); }
};
struct AbsOp {
  template <class T> static T eval(T a) { return static_cast<T>(a < 0 ? -Wide(a) : Wide(a)); }
};
struct NegOp {
  template <class T> static T eval(T a) { return static_cast<T>(-Wide(a)); }
};
struct MinOp {
  template <class T> static T eval(T a, T b) { return std::min(a, b); }
};
struct MaxOp {
  template <class T> static T eval(T a, T b) { return std::max(a, b); }
};
/// Negative results become 0.
template <class Op> struct ReluOp {
  template <class T> static T eval(T a, T b) { return std::max(Op::eval(a, b), T{0}); }
};
struct SadOp {
  template <class T> static T eval(T a, T b, T c) {
    const Wide difference = Wide(a) - b;
    return static_cast<T>(c + (difference < 0 ? -difference : difference));
  }
};

struct SatAddOp {
  static std::int32_t eval(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(
        std::clamp(std::int64_t(a) + b, std::int64_t(INT32_MIN), std::int64_t(INT32_MAX)));
  }
};
struct SatSubOp {
  static std::int32_t eval(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(
        std::clamp(std::int64_t(a) - b, std::int64_t(INT32_MIN), std::int64_t(INT32_MAX)));
  }
};

/// Multiplies two factors of type T. The product, and the sum with an addend, have twice the width.
template <class T, bool HasAddend> void wide(Warp &warp, const Inst &inst, Lanes lanes) {
  using Twice = std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>;
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]);
  const Value *c = HasAddend ? warp.source(inst.rows[3]) : nullptr;
  forLanes(lanes, [&](unsigned lane) {
    const Wide product = Wide(get<T>(a[lane])) * get<T>(b[lane]);
    d[lane] = static_cast<Twice>(product + (c ? c[lane] : 0));
  });
}

template <class Op, int Arity> void integers(Decoder &decoder) {
  const Type type = decoder.takeType();
  if constexpr (Arity == 1)
    decoder.assign(type, {type});
  else if constexpr (Arity == 2)
    decoder.assign(type, {type, type});
  else
    decoder.assign(type, {type, type, type});
  if constexpr (Arity == 2) {
    if (type == Type::U16x2)
      decoder.inst.run = apply<Op, std::uint16_t, 2, 2>;
    if (type == Type::S16x2)
      decoder.inst.run = apply<Op, std::int16_t, 2, 2>;
  }
  if (!decoder.inst.run)
    decoder.inst.run =
        pickInteger(decoder, type, []<class T>(T) -> Handler { return apply<Op, T, Arity>; });
}

template <class Op> void leastOrMost(Decoder &decoder) {
  if (!decoder.take("relu"))
    return integers<Op, 2>(decoder);
  if (const auto type = decoder.lastType(); type != Type::S32 && type != Type::S16x2)
    decoder.unknown(".relu is for .s32 and .s16x2");
  integers<ReluOp<Op>, 2>(decoder);
}

template <bool HasAddend> void decodeWide(Decoder &decoder) {
  const Type type = decoder.takeType();
  const bool isSigned = kindOf(type) == Kind::Signed;
  const Type twice =
      bitsOf(type) == 16 ? (isSigned ? Type::S32 : Type::U32) : (isSigned ? Type::S64 : Type::U64);
  if constexpr (HasAddend)
    decoder.assign(twice, {type, type, twice});
  else
    decoder.assign(twice, {type, type});
  if (bitsOf(type) == 64)
    decoder.unknown("no type is wider");
  decoder.inst.run =
      pickInteger(decoder, type, []<class T>(T) -> Handler { return wide<T, HasAddend>; });
}

/// Decodes a saturating form. It exists for .s32 only.
bool saturated(Decoder &decoder, Handler handler, int sources) {
  if (!decoder.take("sat"))
    return false;
  if (decoder.takeType() != Type::S32)
    decoder.unknown(".sat is for .s32");
  if (sources == 2)
    decoder.assign(Type::S32, {Type::S32, Type::S32});
  else
    decoder.assign(Type::S32, {Type::S32, Type::S32, Type::S32});
  decoder.inst.run = handler;
  return true;
}

} // namespace

void decodeAdd(Decoder &decoder) {
  if (decoder.take("cc"))
    return decodeCarry(decoder, {.setsCarry = true});
  if (!saturated(decoder, apply<SatAddOp, std::int32_t, 2>, 2))
    integers<AddOp, 2>(decoder);
}

void decodeSub(Decoder &decoder) {
  if (decoder.take("cc"))
    return decodeCarry(decoder, {.setsCarry = true, .subtracts = true});
  if (!saturated(decoder, apply<SatSubOp, std::int32_t, 2>, 2))
    integers<SubOp, 2>(decoder);
}

void decodeMul(Decoder &decoder) {
  switch (decoder.needOneOf({"lo", "hi", "wide"})) {
  case 0:
    return integers<LowOp, 2>(decoder);
  case 1:
    return integers<HighOp, 2>(decoder);
  default:
    return decodeWide<false>(decoder);
  }
}

void decodeMad(Decoder &decoder) {
  const unsigned half = decoder.needOneOf({"lo", "hi", "wide"});
  if (decoder.take("cc"))
    return decodeCarry(decoder, {.setsCarry = true, .multiplies = true, .takesHigh = half == 1});
  if (half == 0)
    return integers<MadOp<LowOp>, 3>(decoder);
  if (half == 2)
    return decodeWide<true>(decoder);
  if (!saturated(decoder, apply<MadSatOp, std::int32_t, 3>, 3))
    integers<MadOp<HighOp>, 3>(decoder);
}

void decodeDiv(Decoder &decoder) { integers<DivOp, 2>(decoder); }
void decodeRem(Decoder &decoder) { integers<RemOp, 2>(decoder); }
void decodeAbs(Decoder &decoder) { integers<AbsOp, 1>(decoder); }
void decodeNeg(Decoder &decoder) { integers<NegOp, 1>(decoder); }
void decodeMin(Decoder &decoder) { leastOrMost<MinOp>(decoder); }
void decodeMax(Decoder &decoder) { leastOrMost<MaxOp>(decoder); }
void decodeSad(Decoder &decoder) { integers<SadOp, 3>(decoder); }

} // namespace ptxsim

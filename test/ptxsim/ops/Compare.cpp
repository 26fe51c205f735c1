// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, and selections by their results.
#include "test/ptxsim/ops/Lanes.h"

namespace ptxsim {
namespace {

// A comparison is the set of outcomes for which it is true.
enum Outcome : std::uint8_t { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

struct Comparison {
  std::string_view name;
  std::uint8_t outcomes;
};
constexpr Comparison comparisons[] = {
    {"eq", Equal},
    {"ne", Less | Greater},
    {"lt", Less},
    {"le", Less | Equal},
    {"gt", Greater},
    {"ge", Greater | Equal},
    {"lo", Less},
    {"ls", Less | Equal},
    {"hi", Greater},
    {"hs", Greater | Equal},
    {"equ", Equal | Unordered},
    {"neu", Less | Greater | Unordered},
    {"ltu", Less | Unordered},
    {"leu", Less | Equal | Unordered},
    {"gtu", Greater | Unordered},
    {"geu", Greater | Equal | Unordered},
    {"num", Less | Equal | Greater},
    {"nan", Unordered},
};

enum Combination : std::uint8_t { None, And, Or, Xor };

bool combine(bool result, std::uint8_t how, bool with) {
  switch (how) {
  case And:
    return result && with;
  case Or:
    return result || with;
  case Xor:
    return result != with;
  default:
    return result;
  }
}

template <class T> Outcome compare(T a, T b, bool ftz) {
  if constexpr (std::is_integral_v<T>) {
    return a < b ? Less : a == b ? Equal : Greater;
  } else {
    if (isNan(a) || isNan(b))
      return Unordered;
    const double x = widen(ftz ? flushed(a) : a), y = widen(ftz ? flushed(b) : b);
    return x < y ? Less : x == y ? Equal : Greater;
  }
}

// The low four bits of mode are the outcomes, the bits above them the combination. A second
// destination is the opposite of the comparison, or the result of the second half.

template <class T> void setPredicates(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *p = warp.destination(inst.rows[0]), *q = warp.destination(inst.rows[1]);
  const Value *a = warp.source(inst.rows[2]), *b = warp.source(inst.rows[3]);
  const std::uint8_t how = inst.mode >> 4;
  const Value *c = how ? warp.source(inst.rows[4]) : a;
  const bool isPacked = inst.count == 2;
  forLanes(lanes, [&](unsigned lane) {
    const bool with = how && (c[lane] & 1) != inst.negated;
    const bool holds = compare(get<T>(a[lane]), get<T>(b[lane]), inst.ftz) & inst.mode;
    bool other = !holds;
    if constexpr (sizeof(T) == 2 && !std::is_integral_v<T>)
      if (isPacked)
        other = compare(get<T>(a[lane], 1), get<T>(b[lane], 1), inst.ftz) & inst.mode;
    q[lane] = combine(other, how, with);
    p[lane] = combine(holds, how, with);
  });
}

template <class T> void setValue(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[2]), *b = warp.source(inst.rows[3]);
  const std::uint8_t how = inst.mode >> 4;
  const Value *c = how ? warp.source(inst.rows[4]) : a;
  forLanes(lanes, [&](unsigned lane) {
    const bool with = how && (c[lane] & 1) != inst.negated;
    Value result = 0;
    for (unsigned part = 0; part != inst.count; ++part) {
      const bool holds =
          compare(get<T>(a[lane], part), get<T>(b[lane], part), inst.ftz) & inst.mode;
      if (combine(holds, how, with))
        result |= inst.immediate << (16 * part);
    }
    d[lane] = result;
  });
}

/// Takes the name of the comparison, and how its result is combined with a predicate.
void takeComparison(Decoder &decoder) {
  for (const Comparison &each : comparisons)
    if (decoder.take(each.name)) {
      decoder.inst.mode = each.outcomes;
      if (auto how = decoder.takeOneOf({"and", "or", "xor"}))
        decoder.inst.mode |= static_cast<std::uint8_t>((*how + 1) << 4);
      decoder.takeFtz();
      return;
    }
  decoder.unknown("a comparison is missing");
}

void readCompared(Decoder &decoder, Type type) {
  const bool combines = decoder.inst.mode >> 4;
  decoder.needOperands(combines ? 4 : 3);
  decoder.inst.rows[2] = decoder.read(decoder.operand(1), type);
  decoder.inst.rows[3] = decoder.read(decoder.operand(2), type);
  if (combines) {
    decoder.inst.rows[4] = decoder.read(decoder.operand(3), Type::Pred);
    decoder.inst.negated = decoder.operand(3).isNegated;
  }
}

/// Calls MAKE(T) with the C++ type of the operands: an integer, an unsigned type for bits, or a
/// float.
template <class Make> Handler pickCompared(Decoder &decoder, Type type, Make &&make) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return make(F16{});
  case Type::BF16:
  case Type::BF16x2:
    return make(BF16{});
  case Type::F32:
    return make(float{});
  case Type::F64:
    return make(double{});
  default:
    return kindOf(type) == Kind::Bits ? pickBits(decoder, type, make)
                                      : pickInteger(decoder, type, make);
  }
}

bool isPacked(Type type) { return type == Type::F16x2 || type == Type::BF16x2; }

void select(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = c[lane] & 1 ? a[lane] : b[lane]; });
}

/// Selects by the sign of the third operand. -0 and flushed subnormals count as zero. A NaN does
/// not.
template <class T> void selectBySign(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) {
    d[lane] = compare(get<T>(c[lane]), T(0), inst.ftz) & (Equal | Greater) ? a[lane] : b[lane];
  });
}

} // namespace

void decodeSetp(Decoder &decoder) {
  takeComparison(decoder);
  const Type type = decoder.takeType();
  readCompared(decoder, type);
  const Operand &result = decoder.operand(0);
  const bool isPair = result.kind == Operand::Kind::Pair;
  decoder.inst.rows[0] = decoder.write(isPair ? result.parts[0] : result, Type::Pred);
  decoder.inst.rows[1] =
      isPair ? decoder.write(result.parts[1], Type::Pred) : decoder.names.sinkRow();
  decoder.inst.count = isPacked(type) ? 2 : 1;
  decoder.inst.run =
      pickCompared(decoder, type, []<class T>(T) -> Handler { return setPredicates<T>; });
}

void decodeSet(Decoder &decoder) {
  takeComparison(decoder);
  const Type type = decoder.takeType(), result = decoder.takeType();
  readCompared(decoder, type);
  decoder.inst.rows[0] = decoder.write(decoder.operand(0), result);
  decoder.inst.count = isPacked(type) && bitsOf(result) == 32 ? 2 : 1;
  // The value for true: 1.0 for a float, all ones for an integer.
  switch (result) {
  case Type::F32:
    decoder.inst.immediate = bitsOfFloat(1.0F);
    break;
  case Type::F16:
  case Type::F16x2:
    decoder.inst.immediate = 0x3c00;
    break;
  case Type::BF16:
  case Type::BF16x2:
    decoder.inst.immediate = 0x3f80;
    break;
  default:
    decoder.inst.immediate = lowBits(decoder.inst.count == 2 ? 16 : bitsOf(result));
  }
  decoder.inst.run = pickCompared(decoder, type, []<class T>(T) -> Handler { return setValue<T>; });
}

void decodeSelp(Decoder &decoder) {
  const Type type = decoder.takeType();
  decoder.assign(type, {type, type, Type::Pred});
  decoder.inst.run = select;
}

void decodeSlct(Decoder &decoder) {
  decoder.takeFtz();
  const Type by = decoder.takeType(), type = decoder.takeType();
  if (by != Type::S32 && by != Type::F32)
    decoder.unknown("it selects by .s32 or .f32");
  decoder.assign(type, {type, type, by});
  decoder.inst.run = by == Type::S32 ? selectBySign<std::int32_t> : selectBySign<float>;
}

} // namespace ptxsim

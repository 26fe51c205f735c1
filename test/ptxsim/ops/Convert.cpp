// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt for every pair of types, with rounding and saturation.
#include "test/ptxsim/ops/Lanes.h"

#include <algorithm>
#include <limits>

namespace ptxsim {
namespace {

/// How a number is rounded to an integer. None if no rounding is needed.
enum Whole : std::uint8_t { None, NearestEven, Truncated, Floor, Ceiling };

double makeWhole(double value, std::uint8_t how) {
  switch (how) {
  case NearestEven:
    return std::nearbyint(value);
  case Truncated:
    return std::trunc(value);
  case Floor:
    return std::floor(value);
  case Ceiling:
    return std::ceil(value);
  default:
    return value;
  }
}

/// Saturates. A NaN becomes 0, or the highest bit alone if a type has 64 bits.
template <class D> D wholeNumber(double value, bool isFromF64) {
  using Limits = std::numeric_limits<D>;
  if (std::isnan(value))
    return isFromF64 || sizeof(D) == 8 ? static_cast<D>(Value(1) << (8 * sizeof(D) - 1)) : D(0);
  if (value < static_cast<double>(Limits::min()))
    return Limits::min();
  if (value >= std::ldexp(1.0, Limits::digits))
    return Limits::max();
  return static_cast<D>(value);
}

template <class D, class S> D convertOne(S value, const Inst &inst) {
  if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
    __extension__ using Wide = __int128;
    if (inst.sat)
      return static_cast<D>(
          std::clamp<Wide>(value, std::numeric_limits<D>::min(), std::numeric_limits<D>::max()));
    return static_cast<D>(value);
  } else if constexpr (std::is_integral_v<S>) {
    const bool negative = value < 0;
    const auto magnitude = static_cast<std::uint64_t>(value);
    const D result = encode<D>(negative, negative ? -magnitude : magnitude, 0, inst.rounding);
    return inst.sat ? (negative ? D{} : narrow<D>(std::min(widen(result), 1.0), inst.rounding))
                    : result;
  } else {
    double wide = widen(inst.ftz && std::is_same_v<S, float> ? flushed(value) : value);
    wide = makeWhole(wide, inst.mode);
    if constexpr (std::is_integral_v<D>) {
      return wholeNumber<D>(wide, std::is_same_v<S, double>);
    } else {
      D result = narrow<D>(wide, inst.rounding);
      if (inst.ftz && std::is_same_v<D, float>)
        result = flushed(result);
      if (inst.sat)
        result = std::isnan(wide) || wide <= 0 ? D{}
                 : wide >= 1                   ? narrow<D>(1, inst.rounding)
                                               : result;
      return result;
    }
  }
}

template <class D, class S> void convert(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  const Value mask = lowBits(inst.bytes * 8U); // the register may be wider than D
  forLanes(lanes, [&](unsigned lane) {
    const D result = convertOne<D>(get<S>(a[lane]), inst);
    if constexpr (std::is_integral_v<D>)
      d[lane] = static_cast<Value>(static_cast<std::int64_t>(result)) & mask;
    else
      d[lane] = bitsIn(result);
  });
}

template <class D> Handler pickSource(Decoder &decoder, Type source) {
  switch (source) {
#define SOURCE(TYPE, CPP)                                                                          \
  case Type::TYPE:                                                                                 \
    return convert<D, CPP>;
    SOURCE(U8, std::uint8_t)
    SOURCE(U16, std::uint16_t)
    SOURCE(U32, std::uint32_t)
    SOURCE(U64, std::uint64_t)
    SOURCE(S8, std::int8_t)
    SOURCE(S16, std::int16_t)
    SOURCE(S32, std::int32_t)
    SOURCE(S64, std::int64_t)
    SOURCE(F16, F16)
    SOURCE(BF16, BF16)
    SOURCE(F32, float)
    SOURCE(F64, double)
#undef SOURCE
  default:
    decoder.unknown("not from ." + std::string(textOf(source)));
  }
}

Handler pick(Decoder &decoder, Type result, Type source) {
  switch (result) {
#define RESULT(TYPE, CPP)                                                                          \
  case Type::TYPE:                                                                                 \
    return pickSource<CPP>(decoder, source);
    RESULT(U8, std::uint8_t)
    RESULT(U16, std::uint16_t)
    RESULT(U32, std::uint32_t)
    RESULT(U64, std::uint64_t)
    RESULT(S8, std::int8_t)
    RESULT(S16, std::int16_t)
    RESULT(S32, std::int32_t)
    RESULT(S64, std::int64_t)
    RESULT(F16, F16)
    RESULT(BF16, BF16)
    RESULT(F32, float)
    RESULT(F64, double)
#undef RESULT
  default:
    decoder.unknown("not to ." + std::string(textOf(result)));
  }
}

/// Packs two f32 into the halves of a word. The first operand is the upper half.
template <class T> void pack(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]);
  auto half = [&](Value value) {
    const T result = narrow<T>(get<float>(value), inst.rounding);
    return inst.mode && isNegative(result) && !isNan(result) ? T{} : result;
  };
  forLanes(lanes,
           [&](unsigned lane) { d[lane] = bitsIn(half(a[lane]), 1) | bitsIn(half(b[lane]), 0); });
}

} // namespace

void decodeCvt(Decoder &decoder) {
  const Type source = decoder.takeType(), result = decoder.takeType();
  if (auto whole = decoder.takeOneOf({"rni", "rzi", "rmi", "rpi"}))
    decoder.inst.mode = static_cast<std::uint8_t>(*whole + 1);
  decoder.takeRounding();
  decoder.takeFtz();
  decoder.takeSat();
  if (result == Type::F16x2 || result == Type::BF16x2) {
    decoder.inst.mode = decoder.take("relu");
    if (source != Type::F32)
      decoder.unknown("halves come from .f32");
    decoder.assign(result, {source, source});
    decoder.inst.run = result == Type::F16x2 ? pack<F16> : pack<BF16>;
    return;
  }
  if (isFloat(source) && !isFloat(result) && decoder.inst.mode == None)
    decoder.unknown("how it becomes whole is missing");
  decoder.needOperands(2);
  decoder.inst.rows[0] = decoder.writeWide(decoder.operand(0), result);
  decoder.inst.rows[1] = decoder.readWide(decoder.operand(1), source);
  decoder.inst.bytes = static_cast<std::uint8_t>(decoder.widthOf(decoder.operand(0), result) / 8);
  decoder.inst.run = pick(decoder, result, source);
}

} // namespace ptxsim

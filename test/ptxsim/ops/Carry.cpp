// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/ops/Carry.h"

#include "test/ptxsim/ops/Lanes.h"

namespace ptxsim {
namespace {

enum Mode : std::uint8_t { Sets = 1, Uses = 2, Subtracts = 4, Multiplies = 8, High = 16 };

template <class T> void withCarry(Warp &warp, const Inst &inst, Lanes lanes) {
  __extension__ using Wide = unsigned __int128;
  const std::uint8_t mode = inst.mode;
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]);
  const Value *c = mode & Multiplies ? warp.source(inst.rows[3]) : b;
  forLanes(lanes, [&](unsigned lane) {
    Wide left = get<T>(a[lane]);
    const Wide right = get<T>(c[lane]);
    if (mode & Multiplies) {
      if constexpr (std::is_signed_v<T>) {
        __extension__ using Signed = __int128;
        left = static_cast<Wide>(Signed(get<T>(a[lane])) * get<T>(b[lane]));
      } else {
        left *= get<T>(b[lane]);
      }
      left = mode & High ? left >> (8 * sizeof(T)) : left;
    }
    const Wide mask = lowBits(8 * sizeof(T));
    const Wide in = mode & Uses ? warp.carry[lane] : 0;
    const Wide result = mode & Subtracts ? (left & mask) - (right & mask) - in
                                         : (left & mask) + (right & mask) + in;
    d[lane] = static_cast<Value>(result & mask);
    if (mode & Sets)
      warp.carry[lane] = static_cast<Value>(result >> (8 * sizeof(T))) & 1;
  });
}

/// Dot products of the bytes of 32-bit words, or of halves with bytes.
void dot(Warp &warp, const Inst &inst, Lanes lanes) {
  const bool signedA = inst.mode & 1, signedB = inst.mode & 2, isHalves = inst.mode & 4;
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]),
              *c = warp.source(inst.rows[3]);
  forLanes(lanes, [&](unsigned lane) {
    std::int64_t sum = get<std::int32_t>(c[lane]);
    for (unsigned i = 0; i != (isHalves ? 2 : 4); ++i) {
      const std::int64_t left =
          isHalves ? (signedA ? get<std::int16_t>(a[lane], i) : get<std::uint16_t>(a[lane], i))
                   : (signedA ? get<std::int8_t>(a[lane], i) : get<std::uint8_t>(a[lane], i));
      const unsigned at = isHalves ? i + 2 * static_cast<unsigned>(inst.immediate) : i;
      sum += left * (signedB ? get<std::int8_t>(b[lane], at) : get<std::uint8_t>(b[lane], at));
    }
    d[lane] = static_cast<std::uint32_t>(sum);
  });
}

void decodeDot(Decoder &decoder, bool isHalves) {
  const Type b = decoder.takeType(), a = decoder.takeType();
  if (isHalves)
    decoder.inst.immediate = decoder.needOneOf({"lo", "hi"});
  if (bitsOf(a) != 32 || bitsOf(b) != 32)
    decoder.unknown("it takes .u32 and .s32");
  decoder.assign(Type::B32, {Type::B32, Type::B32, Type::B32});
  decoder.inst.mode = (kindOf(a) == Kind::Signed ? 1 : 0) | (kindOf(b) == Kind::Signed ? 2 : 0) |
                      (isHalves ? 4 : 0);
  decoder.inst.run = dot;
}

/// The low or high 32 bits of the 48-bit product of two 24-bit numbers.
template <class T> void times24(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]);
  const Value *c = inst.count == 3 ? warp.source(inst.rows[3]) : nullptr;
  auto low24 = [](Value value) -> std::int64_t {
    const auto bits = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8);
    return std::is_signed_v<T> ? bits >> 8 : std::int64_t(static_cast<std::uint32_t>(bits) >> 8);
  };
  forLanes(lanes, [&](unsigned lane) {
    const std::int64_t product = low24(a[lane]) * low24(b[lane]);
    d[lane] = static_cast<std::uint32_t>((inst.mode ? product >> 16 : product) +
                                         static_cast<std::int64_t>(c ? c[lane] : 0));
  });
}

void decode24(Decoder &decoder, bool hasAddend) {
  decoder.inst.mode = static_cast<std::uint8_t>(decoder.needOneOf({"lo", "hi"}));
  const Type type = decoder.takeType();
  if (bitsOf(type) != 32)
    decoder.unknown("it takes .u32 and .s32");
  if (hasAddend)
    decoder.assign(type, {type, type, type});
  else
    decoder.assign(type, {type, type});
  decoder.inst.count = hasAddend ? 3 : 2;
  decoder.inst.run = kindOf(type) == Kind::Signed ? times24<std::int32_t> : times24<std::uint32_t>;
}

} // namespace

void decodeCarry(Decoder &decoder, CarryForm form) {
  const Type type = decoder.takeType();
  if (form.multiplies)
    decoder.assign(type, {type, type, type});
  else
    decoder.assign(type, {type, type});
  decoder.inst.mode = static_cast<std::uint8_t>(
      (form.setsCarry ? Sets : 0) | (form.usesCarry ? Uses : 0) | (form.subtracts ? Subtracts : 0) |
      (form.multiplies ? Multiplies : 0) | (form.takesHigh ? High : 0));
  decoder.inst.run = pickInteger(decoder, type, []<class T>(T) -> Handler { return withCarry<T>; });
}

void decodeAddCarry(Decoder &decoder) {
  decodeCarry(decoder, {.setsCarry = decoder.take("cc"), .usesCarry = true});
}
void decodeSubCarry(Decoder &decoder) {
  decodeCarry(decoder, {.setsCarry = decoder.take("cc"), .usesCarry = true, .subtracts = true});
}
void decodeMadCarry(Decoder &decoder) {
  const bool high = decoder.needOneOf({"lo", "hi"}) == 1;
  decodeCarry(
      decoder,
      {.setsCarry = decoder.take("cc"), .usesCarry = true, .multiplies = true, .takesHigh = high});
}

void decodeDp4a(Decoder &decoder) { decodeDot(decoder, false); }
void decodeDp2a(Decoder &decoder) { decodeDot(decoder, true); }
void decodeMul24(Decoder &decoder) { decode24(decoder, false); }
void decodeMad24(Decoder &decoder) { decode24(decoder, true); }

} // namespace ptxsim

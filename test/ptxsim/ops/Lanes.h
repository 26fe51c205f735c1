// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of handlers: they convert rows of values to C++ types and apply an operation to each
// lane.
#pragma once

#include "test/ptxsim/Decoder.h"
#include "test/ptxsim/Machine.h"
#include "test/ptxsim/Numbers.h"

#include <type_traits>

namespace ptxsim {

template <std::size_t Bytes>
using WordOf = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Part number \p part of \p value, as a T.
template <class T> T get(Value value, unsigned part = 0) {
  return std::bit_cast<T>(static_cast<WordOf<sizeof(T)>>(value >> (part * 8 * sizeof(T))));
}
/// The bits of \p value at part number \p part. The other bits are zero.
template <class T> Value bitsIn(T value, unsigned part = 0) {
  return Value(std::bit_cast<WordOf<sizeof(T)>>(value)) << (part * 8 * sizeof(T));
}

/// Applies Op::eval to each lane, on operands of type T. A register contains `Parts` operands.
template <class Op, class T, int Arity, unsigned Parts = 1>
void apply(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  const Value *b = Arity > 1 ? warp.source(inst.rows[2]) : a;
  const Value *c = Arity > 2 ? warp.source(inst.rows[3]) : a;
  forLanes(lanes, [&](unsigned lane) {
    Value result = 0;
    for (unsigned part = 0; part != Parts; ++part) {
      if constexpr (Arity == 1)
        result |= bitsIn(Op::eval(get<T>(a[lane], part)), part);
      else if constexpr (Arity == 2)
        result |= bitsIn(Op::eval(get<T>(a[lane], part), get<T>(b[lane], part)), part);
      else
        result |= bitsIn(
            Op::eval(get<T>(a[lane], part), get<T>(b[lane], part), get<T>(c[lane], part)), part);
    }
    d[lane] = result;
  });
}

/// Calls make with a value of the C++ type for a PTX integer type, and returns its result.
template <class Make> Handler pickInteger(Decoder &decoder, Type type, Make &&make) {
  switch (type) {
  case Type::U16:
    return make(std::uint16_t{});
  case Type::U32:
    return make(std::uint32_t{});
  case Type::U64:
    return make(std::uint64_t{});
  case Type::S16:
    return make(std::int16_t{});
  case Type::S32:
    return make(std::int32_t{});
  case Type::S64:
    return make(std::int64_t{});
  default:
    decoder.unknown("not for ." + std::string(textOf(type)));
  }
}

/// Like pickInteger, but also accepts .b16, .b32 and .b64.
template <class Make> Handler pickBits(Decoder &decoder, Type type, Make &&make) {
  switch (isFloat(type) ? 0 : bitsOf(type)) {
  case 16:
    return make(std::uint16_t{});
  case 32:
    return make(std::uint32_t{});
  case 64:
    return make(std::uint64_t{});
  default:
    decoder.unknown("not for ." + std::string(textOf(type)));
  }
}

} // namespace ptxsim

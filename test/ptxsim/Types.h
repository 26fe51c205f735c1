// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that all parts of the interpreter use: values, sets of lanes, sizes, errors.
#pragma once

#include "test/ptxsim/Ptxsim.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ptxsim {

/// The bits of a register of one thread. Bits beyond its width are zero.
using Value = std::uint64_t;
/// A set of lanes of a warp, one bit for each.
using Lanes = std::uint32_t;

constexpr unsigned warpSize = 32;

enum class Type : std::uint8_t {
#define TYPE(NAME, TEXT, BITS, KIND) NAME,
#include "test/ptxsim/Types.def"
};
enum class Kind : std::uint8_t { Pred, Bits, Unsigned, Signed, Packed, Float };

unsigned bitsOf(Type type);
Kind kindOf(Type type);
std::string_view textOf(Type type);
std::optional<Type> typeNamed(std::string_view text);

inline bool isFloat(Type type) { return kindOf(type) == Kind::Float; }
inline unsigned bytesOf(Type type) { return (bitsOf(type) + 7) / 8; }
/// A mask of the low \p bits bits.
constexpr Value lowBits(unsigned bits) { return bits >= 64 ? ~Value(0) : (Value(1) << bits) - 1; }

enum class Space : std::uint8_t { Generic, Global, Shared, Local, Const, Param };

/// Calls \p each for every lane of the set, in ascending order.
template <class F> void forLanes(Lanes lanes, F &&each) {
  for (; lanes != 0; lanes &= lanes - 1)
    each(static_cast<unsigned>(std::countr_zero(lanes)));
}

} // namespace ptxsim

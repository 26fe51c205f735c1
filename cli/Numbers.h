// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to scalars and back, for VALUEs and printed results. A number is parsed straight to the type
// it is for, never through another one; one that the type cannot hold is refused.
#pragma once

#include <cstddef>
#include <limits>
#include <spl/ScalarType.h>
#include <string>
#include <string_view>

namespace spl::cli {

/// The bits of a float's significand, with the one before the point.
template <class Float> inline constexpr int digitsOf = std::numeric_limits<Float>::digits;
template <> inline constexpr int digitsOf<f16> = 11;
template <> inline constexpr int digitsOf<bf16> = 8;

bool isFloat(ScalarType type);

/// Writes the value of \p text (2.5, -7, true, 0xff, inf, nan) to \p target. Throws Failure
/// (WrongUsage) with what is wrong.
void parseNumber(std::string_view text, ScalarType type, std::byte *target);

/// The shortest text that reads back as the same value; integers in decimal, true and false.
std::string formatNumber(ScalarType type, const std::byte *value);

} // namespace spl::cli

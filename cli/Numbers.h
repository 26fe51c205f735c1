// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts text to scalars and back, for VALUEs and printed results. A number is parsed directly to
// its type, not through another type. A number that the type cannot represent is an error.
#pragma once

#include <cstddef>
#include <limits>
#include <spl/ScalarType.h>
#include <string>
#include <string_view>

namespace spl::cli {

/// The text without spaces at its ends.
std::string_view trimmed(std::string_view text);

/// The number of bits of a float's significand, with the leading one.
template <class Float> inline constexpr int digitsOf = std::numeric_limits<Float>::digits;
template <> inline constexpr int digitsOf<f16> = 11;
template <> inline constexpr int digitsOf<bf16> = 8;

bool isFloat(ScalarType type);

/// Parses \p text (2.5, -7, true, 0xff, inf, nan), and writes the value to \p target. Throws
/// Failure (WrongUsage).
void parseNumber(std::string_view text, ScalarType type, std::byte *target);

/// The shortest text that reads back as the same value. Integers are decimal, a bool is true or
/// false.
std::string formatNumber(ScalarType type, const std::byte *value);

} // namespace spl::cli

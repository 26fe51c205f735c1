// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to scalars and back, for VALUEs and printed results. A number is parsed straight to the type
// it is for, never through another one; one that the type cannot hold is refused.
#pragma once

#include <cstddef>
#include <spl/ScalarType.h>
#include <string>
#include <string_view>

namespace spl::driver {

/// Writes the value of \p text (2.5, -7, true, 0xff, inf, nan) to \p target. Throws Failure
/// (WrongUsage) with what is wrong.
void parseNumber(std::string_view text, ScalarType type, std::byte *target);

/// The shortest text that reads back as the same value; integers in decimal, true and false.
std::string formatNumber(ScalarType type, const std::byte *value);

} // namespace spl::driver

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the VALUEs of `simple run --arg NAME=VALUE` for a parameter of a known type. docs/cli.md
// defines their forms. Every function throws Failure with the error and a hint.
#pragma once

#include "cli/HostArray.h"
#include <spl/Launch.h>
#include <spl/Signature.h>
#include <string>
#include <string_view>
#include <variant>

namespace spl::cli {

/// The VALUE =other: the buffer of another argument.
struct SameAs {
  std::string other;
};

using ParsedValue = std::variant<Value, HostArray, SameAs>;

/// Parses \p text for \p parameter: numbers for a value; a list, a file, a shape with a fill or the
/// name of another argument for a slice.
ParsedValue parseValue(const std::string &text, const Parameter &parameter);

/// Parses \p text for the parameter with this index. An error contains the parameter, and so does a
/// warning about a number that is probably meant to be a length.
ParsedValue parseArgument(const std::string &text, const Signature &signature, std::size_t index);

/// Warns if the \p array was made of a \p text that is one whole number above 1.
void warnOfLength(std::string_view text, const HostArray &array, const std::string &prefix);

/// Parses a file, a shape with a fill (f32[64,64]=iota) or a list for a buffer. \p use is the first
/// parameter that the buffer is an argument of, or null if there is none. A list without a use is
/// an error, because its type is not known.
HostArray parseBuffer(const std::string &text, const Parameter *use = nullptr);

} // namespace spl::cli

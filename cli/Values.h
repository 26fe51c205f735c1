// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the VALUEs of `simple run --arg NAME=VALUE` for a parameter of a known type. docs/cli.md
// defines their forms. Every function throws Failure with the error and a hint.
#pragma once

#include "cli/HostArray.h"
#include <spl/Launch.h>
#include <spl/Signature.h>
#include <string>
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

/// Parses \p text for the parameter with this index. The error contains the parameter.
ParsedValue parseArgument(const std::string &text, const Signature &signature, std::size_t index);

/// Parses a file, a shape with a fill (f32[64,64]=iota) or a list for a buffer. \p use is the first
/// parameter that the buffer is an argument of, or null if there is none. A list without a use is
/// an error, because its type is not known.
HostArray parseBuffer(const std::string &text, const Parameter *use = nullptr);

} // namespace spl::cli

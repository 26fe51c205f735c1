// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The VALUEs of `simple run --arg NAME=VALUE`, read for a parameter of a known type. See
// docs/cli.md for the forms. Every function throws Failure with what is wrong and what would do.
#pragma once

#include "cli/HostArray.h"
#include <spl/Launch.h>
#include <spl/Signature.h>
#include <string>
#include <variant>

namespace spl::cli {

/// The buffer of another argument: =other.
struct SameAs {
  std::string other;
};

using ParsedValue = std::variant<Value, HostArray, SameAs>;

/// Reads \p text for \p parameter: numbers for a value; a list, a file, a shape with a fill or
/// another argument's name for a slice.
ParsedValue parseValue(const std::string &text, const Parameter &parameter);

/// Reads \p text for the parameter of that index; a refusal names it.
ParsedValue parseArgument(const std::string &text, const Signature &signature, std::size_t index);

/// Reads a shape with a fill for a buffer: f32[64,64]=iota; or a file. \p use is the parameter that
/// the buffer goes to first, or null where it goes to none.
HostArray parseBuffer(const std::string &text, const Parameter *use = nullptr);

} // namespace spl::cli

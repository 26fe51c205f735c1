// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits PTX into words, numbers, strings and single characters. Drops comments.
#pragma once

#include <string_view>
#include <vector>

namespace ptxsim {

struct Token {
  enum class Kind { Word, Number, String, Punctuation, End };
  Kind kind;
  std::string_view text; ///< the text in the source; strings are without their quotes
  unsigned line;
};

/// The last token is an End. Throws Error(Syntax).
std::vector<Token> tokenize(std::string_view text);

} // namespace ptxsim

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX as a list of words, numbers, strings and single characters. Comments are dropped.
#pragma once

#include <string_view>
#include <vector>

namespace ptxsim {

struct Token {
  enum class Kind { Word, Number, String, Punctuation, End };
  Kind kind;
  std::string_view text; ///< of the source; a string without its quotes
  unsigned line;
};

/// Ends with an End. Throws Error(Syntax).
std::vector<Token> tokenize(std::string_view text);

} // namespace ptxsim

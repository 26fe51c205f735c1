// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds unpaired brackets in a text. This is done before lexing, because only the following lines
// show that a bracket was not closed: by their indentation and by their first word.
//
// A logical line is one physical line, or several if brackets are open at the ends of lines. If its
// brackets pair, it has no fault, whatever its indentation. Otherwise it ends before the first
// physical line that begins like a statement. Only its first fault is reported.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace spl::lex {

struct BracketFault {
  enum class Kind : uint8_t {
    Unclosed,   ///< `bracket` is not closed in its logical line
    Unmatched,  ///< `bracket` closes, but none is open
    Mismatched, ///< `bracket` closes a kind that is not open; `opening` is the innermost open one
  };
  Kind kind;
  const char *bracket;
  const char *opening = nullptr; ///< Mismatched only
  const char *lineBegin;         ///< the first token of the logical line
  const char *lineEnd;           ///< the newline that ends it, or the end of the text
  bool isReported = false;

  bool isIn(const char *place) const { return lineBegin <= place && place <= lineEnd; }
};

/// Returns the faults in the order of the text, at most one for each logical line. Never fails.
/// Takes linear time. The text needs no NUL at the end.
std::vector<BracketFault> findBracketFaults(llvm::StringRef text);

//===-- Scanning of strings and comments, shared with the lexer --===//

/// Returns the quote that ends the string at `begin`, or the end of the line.
const char *closingQuote(const char *begin, const char *end);
bool isDocstring(const char *begin, const char *end);
/// Returns the quotes that end the docstring at `begin`, or the end of the text.
const char *closingQuotes(const char *begin, const char *end);
/// Whether a comment begins at `begin`: a '#' that begins no attribute.
bool isComment(const char *begin, const char *end);
/// Returns the next newline, or the end of the text.
const char *endOfLine(const char *begin, const char *end);

} // namespace spl::lex

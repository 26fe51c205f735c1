// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds brackets of a text that do not pair. This is done before lexing, because only the next
// lines show that a bracket was not closed: by their indentation, and by how they begin.
//
// A logical line is one physical line, or several if brackets are open at the ends of lines. A
// logical line whose brackets pair is never a fault, however it is indented. Otherwise it ends
// before the first physical line that begins like a statement, and it has one fault: the first.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace spl::lex {

struct BracketFault {
  enum class Kind : uint8_t {
    Unclosed,   ///< bracket is opened and not closed in its logical line
    Unmatched,  ///< bracket closes, but none is open
    Mismatched, ///< bracket closes another kind than those that are open; opening is the innermost
  };
  Kind kind;
  const char *bracket;
  const char *opening = nullptr; ///< Mismatched only
  const char *lineBegin;         ///< the first token of the logical line
  const char *lineEnd;           ///< the newline that ends it, or the end of the text
  bool isReported = false;

  bool isIn(const char *place) const { return lineBegin <= place && place <= lineEnd; }
};

/// The faults in the order of the text, at most one for each logical line. Never fails. Takes time
/// linear in the text, which needs no NUL at the end.
std::vector<BracketFault> findBracketFaults(llvm::StringRef text);

//===-- What tokens without layout or brackets are made of, shared with the lexer --===//

/// The quote that ends the string that begins there, or the end of the line.
const char *closingQuote(const char *begin, const char *end);
bool isDocstring(const char *begin, const char *end);
/// The quotes that end the docstring that begins there, or the end of the text.
const char *closingQuotes(const char *begin, const char *end);
/// Whether a comment begins there: a '#' that begins no attribute.
bool isComment(const char *begin, const char *end);
/// The next newline, or the end of the text.
const char *endOfLine(const char *begin, const char *end);

} // namespace spl::lex

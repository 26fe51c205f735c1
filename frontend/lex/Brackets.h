// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which brackets of a text do not pair. This is found before the text is lexed, because only the
// lines that follow show that a bracket was not closed: by their indentation and how they begin.
//
// A logical line is one physical line, or several where brackets are open at line ends. One whose
// brackets pair is never a fault, however it is indented. Otherwise it ends before the first
// physical line that begins like a statement, and it has one fault: the first.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace spl::lex {

struct BracketFault {
  enum class Kind : uint8_t {
    Unclosed,   ///< bracket opens and is not closed in its logical line
    Unmatched,  ///< bracket closes, but nothing is open
    Mismatched, ///< bracket closes another kind than all that are open; the innermost is opening
  };
  Kind kind;
  const char *bracket;
  const char *opening = nullptr; ///< Mismatched only
  const char *lineBegin;         ///< of the logical line: its first token
  const char *lineEnd;           ///< the newline that ends it, or the end of the text
  bool isReported = false;

  bool isIn(const char *place) const { return lineBegin <= place && place <= lineEnd; }
};

/// The faults in the order of the text, at most one for each logical line. Never fails; takes time
/// linear in the text. The text need not be followed by NUL.
std::vector<BracketFault> findBracketFaults(llvm::StringRef text);

//===-- What tokens without layout or brackets are made of, shared with the lexer --===//

/// The quote that ends the string that begins there; where it has none, its line's end.
const char *closingQuote(const char *begin, const char *end);
bool isDocstring(const char *begin, const char *end);
/// The three quotes that end the docstring that begins there, or end.
const char *closingQuotes(const char *begin, const char *end);
/// Whether a comment begins there: a '#' that begins no attribute.
bool isComment(const char *begin, const char *end);
/// The newline after that place, or end.
const char *endOfLine(const char *begin, const char *end);

} // namespace spl::lex

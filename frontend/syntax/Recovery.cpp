// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports errors and finds the place at which parsing continues.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

void Parser::panic() {
  if (isPanicking)
    return;
  isPanicking = true;
  lexer.setQuiet(true);
  while (!atLineEnd())
    advance();
  lexer.setQuiet(false);
}

void Parser::recover() {
  if (!isPanicking)
    return;
  accept(TokenKind::Newline);
  isPanicking = false;
  if (at(TokenKind::Indent))
    skipBlock();
}

/// Skips from an Indent to its Dedent, without recursion.
void Parser::skipBlock() {
  lexer.setQuiet(true);
  unsigned depth = 0;
  do {
    depth += at(TokenKind::Indent);
    depth -= at(TokenKind::Dedent);
    // The lexer reports errors in the token after the block, because it is not skipped.
    if (depth == 0)
      lexer.setQuiet(false);
    advance();
  } while (depth != 0 && !at(TokenKind::EndOfFile));
  lexer.setQuiet(false);
}

void Parser::failExpected(StringRef what) {
  if (!failForeign(*this))
    fail(here(), diag::ExpectedToken, what, describe(token));
}

bool Parser::expect(TokenKind kind, StringRef what) {
  if (accept(kind))
    return true;
  failExpected(what);
  return false;
}

bool Parser::expectClosing(TokenKind kind, const Token &opening, StringRef what) {
  if (accept(kind))
    return true;
  if (StringRef(previousEnd, token.begin - previousEnd).contains('\n')) {
    // A comma or the closing bracket is missing at the end of a line.
    fail(afterPrevious(), diag::ExpectedToken, what, describe(token))
        .note(opening.range(), diag::OpenedHere, opening.text());
    return false;
  }
  failExpected(what);
  return false;
}

bool Parser::endLine() {
  if (accept(TokenKind::Newline) || at(TokenKind::EndOfFile))
    return true;
  if (!failForeign(*this))
    fail(token.range(), diag::ExpectedEndOfLine, describe(token),
         at(TokenKind::Comma)      ? "; a tuple is written '(a, b)'"
         : at(TokenKind::StarStar) ? "; after a cast, write '(x as T) ** y'"
                                   : "");
  return false;
}

} // namespace spl::syntax

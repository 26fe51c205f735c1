// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokens of one file, in order, with one token of lookahead. Owns the lexer. Errors of the
// lexer appear as tokens of kind Invalid.
#pragma once

#include "frontend/lex/Lexer.h"
#include "frontend/syntax/Ast.h"

namespace spl::syntax {

using lex::Token;
using lex::TokenKind;

class TokenCursor {
public:
  TokenCursor(StringRef text, diag::Engine &diagnostics)
      : lexer(text, diagnostics), textBegin(text.begin()) {
    token = lexer.next();
  }

  bool at(TokenKind kind) const { return token.kind == kind; }
  bool atWord(StringRef word) const { return at(TokenKind::Identifier) && token.text() == word; }
  bool atLineEnd() const { return at(TokenKind::Newline) || at(TokenKind::EndOfFile); }
  Token advance(); ///< returns the token that was passed
  const Token &peek();
  bool accept(TokenKind kind);

  /// The place right after the last token: where something is missing.
  SourceRange afterPrevious() const { return {previousEnd, previousEnd}; }
  /// The current token; at the end of a line, the place after the last token.
  SourceRange here() const { return atLineEnd() ? afterPrevious() : token.range(); }
  SourceRange from(const char *begin) const { return {begin, std::max(begin, previousEnd)}; }
  /// The name that ends before white space there, or nothing.
  StringRef identifierBefore(const char *end) const;

  lex::Lexer lexer;
  Token token; ///< the one to be parsed next
  Token ahead; ///< the one after it, where hasAhead
  bool hasAhead = false;
  const char *textBegin;
  const char *previousEnd = textBegin; ///< the end of the token before
};

/// The text from a place in a file to the end of its line.
StringRef restOfLine(const char *begin);
/// How a message names a token that was not expected: "'foo'", "the end of the line".
std::string describe(const Token &token);

} // namespace spl::syntax

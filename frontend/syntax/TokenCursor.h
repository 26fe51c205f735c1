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
  Token advance(); ///< moves to the next token and returns the previous one
  const Token &peek();
  bool accept(TokenKind kind);

  /// The place directly after the previous token, for errors about missing text.
  SourceRange afterPrevious() const { return {previousEnd, previousEnd}; }
  /// The range of the current token. At the end of a line, the place after the previous token.
  SourceRange here() const { return atLineEnd() ? afterPrevious() : token.range(); }
  SourceRange from(const char *begin) const { return {begin, std::max(begin, previousEnd)}; }
  /// Returns the name before `end`, ignoring white space between them, or an empty text.
  StringRef identifierBefore(const char *end) const;

  lex::Lexer lexer;
  Token token; ///< the current token
  Token ahead; ///< the token after the current one, if hasAhead is set
  bool hasAhead = false;
  const char *textBegin;
  const char *previousEnd = textBegin; ///< the end of the previous token
};

/// Returns the text from a place to the end of its line.
StringRef restOfLine(const char *begin);
/// Describes an unexpected token for a message: "'foo'", "the end of the line".
std::string describe(const Token &token);

} // namespace spl::syntax

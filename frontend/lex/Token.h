// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lexer gives the parser: a kind from Tokens.def and the place in the text. A plain value;
// its text belongs to the SourceManager.
#pragma once

#include "frontend/diag/Source.h"
#include <cstdint>

namespace spl::lex {

enum class TokenKind : uint8_t {
#define TOKEN(Id, Description) Id,
#define KEYWORD(Id, Spelling) Id,
#define PUNCTUATION(Id, Spelling) Id,
#include "frontend/lex/Tokens.def"
};

/// The token's name in the table: "Identifier", "LParen".
llvm::StringRef name(TokenKind kind);
/// Its spelling, or for tokens without one its description: "(", "while", "a name".
llvm::StringRef spelling(TokenKind kind);
bool isKeyword(TokenKind kind);
/// Whether this is a token with one spelling: a keyword or punctuation.
bool isFixed(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  uint8_t suffixLength = 0; ///< Int, Float: how many characters at the end are the suffix
  const char *begin = nullptr;
  const char *end = nullptr;
  uint64_t value = 0; ///< Int

  bool is(TokenKind other) const { return kind == other; }
  template <class... Kinds> bool isOneOf(Kinds... kinds) const { return ((kind == kinds) || ...); }
  llvm::StringRef text() const { return {begin, size_t(end - begin)}; }
  llvm::StringRef suffix() const { return text().take_back(suffixLength); }
  diag::SourceRange range() const { return {begin, end}; }
};

} // namespace spl::lex

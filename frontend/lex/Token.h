// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token: a kind from Tokens.def and a place in the text. Tokens are plain values. The
// SourceManager owns the text.
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

/// The name in the table: "Identifier", "LParen".
llvm::StringRef name(TokenKind kind);
/// The spelling, or the description of a token without one: "(", "while", "a name".
llvm::StringRef spelling(TokenKind kind);
bool isKeyword(TokenKind kind);
/// Whether the token has one spelling only: a keyword or punctuation.
bool isFixed(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  uint8_t suffixLength = 0; ///< Int, Float: the length of the suffix
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

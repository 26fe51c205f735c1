// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/syntax/TokenCursor.h"

namespace spl::syntax {

Token TokenCursor::advance() {
  Token passed = token;
  previousEnd = passed.end;
  token = hasAhead ? ahead : lexer.next();
  hasAhead = false;
  return passed;
}

const Token &TokenCursor::peek() {
  if (!hasAhead)
    ahead = lexer.next();
  hasAhead = true;
  return ahead;
}

bool TokenCursor::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

StringRef TokenCursor::identifierBefore(const char *end) const {
  StringRef text = StringRef(textBegin, end - textBegin).rtrim(' ');
  size_t length = 0;
  while (length != text.size() && lex::isIdentifierPart(text.end()[-1 - ptrdiff_t(length)]))
    ++length;
  return text.take_back(length);
}

StringRef restOfLine(const char *begin) {
  const char *end = begin;
  while (*end != '\n' && *end != '\0')
    ++end;
  return StringRef(begin, end - begin);
}

std::string describe(const Token &token) {
  // The first line of a long token is enough to recognise it.
  constexpr size_t limit = 40;
  if (!isFixed(token.kind) && token.kind != TokenKind::Identifier && token.kind != TokenKind::Int &&
      token.kind != TokenKind::Float)
    return spelling(token.kind).str();
  StringRef text = token.text();
  std::string quoted = "'" + text.take_front(limit).str() + (text.size() > limit ? "...'" : "'");
  return (isKeyword(token.kind) ? "the keyword " : "") + quoted;
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: names, and slices &[T] and &mut [T].

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

const TypeExpr *Parser::errorType(const char *begin) {
  return new (file.arena.Allocate<TypeExpr>()) TypeExpr{TypeExpr::Kind::Error, from(begin), {}};
}

const TypeExpr *Parser::parseType() {
  Nesting guard(*this);
  const char *begin = token.begin;
  if (guard.isTooDeep())
    return errorType(begin);
  switch (token.kind) {
  case TokenKind::Identifier: {
    Token name = advance();
    if (isVectorTypeName(name.text())) {
      notYet(name.range(), "the vector type '" + name.text() + "'");
      return errorType(begin);
    }
    return new (file.arena.Allocate<TypeExpr>())
        TypeExpr{TypeExpr::Kind::Named, name.range(), name.text()};
  }
  case TokenKind::Amp:
    return parseSliceType();
  case TokenKind::LBracket:
    notYet(token.range(), "an array type (a slice is written '&[T]')");
    return errorType(begin);
  case TokenKind::LParen:
    notYet(token.range(), "a tuple type");
    return errorType(begin);
  case TokenKind::Star:
    fail(here(), diag::ExpectedType, describe(token), "; a slice is written '&[f32]'");
    return errorType(begin);
  default:
    fail(here(), diag::ExpectedType, describe(token), "");
    return errorType(begin);
  }
}

/// &[T], &mut [T], &[T, 2]
const TypeExpr *Parser::parseSliceType() {
  const char *begin = advance().begin;
  bool isMut = at(TokenKind::Identifier) && token.text() == "mut";
  if (isMut)
    advance();
  if (!at(TokenKind::LBracket)) {
    failExpected("'[': a slice is written '&[f32]' or '&mut [f32]'");
    return errorType(begin);
  }
  Token opening = advance();
  const TypeExpr *element = parseType();
  unsigned rank = 1;
  if (accept(TokenKind::Comma) && !at(TokenKind::RBracket)) {
    if (!at(TokenKind::Int) || token.value < 1 || token.value > 4) {
      fail(token.range(), diag::InvalidRank);
      return errorType(begin);
    }
    rank = unsigned(advance().value);
  }
  if (at(TokenKind::Semicolon))
    notYet(token.range(), "an array type");
  if (!expectClosing(TokenKind::RBracket, opening, "']'"))
    return errorType(begin);
  return new (file.arena.Allocate<TypeExpr>())
      TypeExpr{TypeExpr::Kind::Slice, from(begin), {}, element, isMut, rank};
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: names, generic structs Pair[T], slices &[T] and &mut [T], references &T and &mut T, arrays
// [T; N] and tuples (T, U).

#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/ADT/STLExtras.h"

namespace spl::syntax {

static const TypeExpr *finishType(Parser &parser, TypeExpr type);
static const TypeExpr *parseArrayType(Parser &parser);
static const TypeExpr *parseNamedType(Parser &parser, const Token &name);
static const TypeExpr *parseReferenceType(Parser &parser);
static const TypeExpr *parseSliceType(Parser &parser, const char *begin, bool isMut);
static const TypeExpr *finishArrayType(Parser &parser, Token opening, const TypeExpr *element);
static const TypeExpr *parseTupleType(Parser &parser);

static const TypeExpr *errorType(Parser &parser, const char *begin) {
  return finishType(parser, {.kind = TypeExpr::Kind::Error, .range = parser.from(begin)});
}

/// Sets the type's height and returns the type. Returns an Error type if it is too high.
static const TypeExpr *finishType(Parser &parser, TypeExpr type) {
  size_t height = 1;
  if (type.element)
    height = std::max<size_t>(height, type.element->height + 1);
  if (type.length)
    height = std::max<size_t>(height, type.length->height + 1);
  for (const Expr *argument : type.arguments)
    height = std::max<size_t>(height, argument->height + 1);
  for (const TypeExpr *element : type.elements)
    height = std::max<size_t>(height, element->height + 1);
  if (height > maxExpressionHeight) {
    parser.fail(type.range, diag::NestingTooDeep, "a type", maxExpressionHeight);
    return errorType(parser, type.range.begin);
  }
  type.height = height;
  return new (parser.file.arena.Allocate<TypeExpr>()) TypeExpr(type);
}

const TypeExpr *parseType(Parser &parser) {
  Nesting guard(parser);
  const char *begin = parser.token.begin;
  if (guard.isTooDeep())
    return errorType(parser, begin);
  if (failForeignMode(parser) || failTypeOfWords(parser))
    return errorType(parser, begin);
  switch (parser.token.kind) {
  case TokenKind::Identifier: {
    Token name = parser.advance();
    if (name.text() == "gpu" && parser.at(TokenKind::Dot) && parser.peek().text() == "Fragment") {
      parser.advance();
      parser.fail({name.begin, parser.advance().end}, diag::NotYetSupported, "'gpu.Fragment'");
      return errorType(parser, begin);
    }
    if (name.text() == "gpu" && parser.at(TokenKind::Dot) &&
        parser.peek().text().starts_with("shared")) {
      parser.advance();
      parser.fail({name.begin, parser.advance().end}, diag::ExpectedType, "a function",
                  "; shared memory is passed as a slice, '&mut [f32]'");
      return errorType(parser, begin);
    }
    return parseNamedType(parser, name);
  }
  case TokenKind::Amp:
    return parseReferenceType(parser);
  case TokenKind::LBracket:
    return parseArrayType(parser);
  case TokenKind::LParen:
    return parseTupleType(parser);
  case TokenKind::Star:
  case TokenKind::AmpAmp:
    parser.fail(parser.here(), diag::ExpectedType, describe(parser.token),
                "; a slice is written '&[f32]'");
    return errorType(parser, begin);
  default:
    parser.fail(parser.here(), diag::ExpectedType, describe(parser.token), "");
    return errorType(parser, begin);
  }
}

/// T, Pair[T, 4]. A scalar has no arguments, which leaves 'f32[4]' to parseDeclaredType.
static const TypeExpr *parseNamedType(Parser &parser, const Token &name) {
  TypeExpr type{.kind = TypeExpr::Kind::Named, .range = name.range(), .name = name.text()};
  const bool isScalar = isScalarTypeName(type.name) || parseVectorName(type.name) ||
                        !typeForForeign(type.name).empty();
  if (isScalar || !parser.at(TokenKind::LBracket))
    return finishType(parser, type);
  Token opening = parser.advance();
  llvm::SmallVector<const Expr *, 4> arguments;
  do {
    if (parser.at(TokenKind::RBracket) && !arguments.empty()) // after the last comma
      break;
    arguments.push_back(parseExpression(parser));
  } while (parser.accept(TokenKind::Comma));
  if (!parser.expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return errorType(parser, name.begin);
  type.range = parser.from(name.begin);
  type.arguments = parser.keep<const Expr *>(arguments);
  return finishType(parser, type);
}

/// Parses the type of a declaration. Reports tokens that other languages have after the name of a
/// type. Other types do not, because in 'x as f32 < y' the token is an operator.
const TypeExpr *parseDeclaredType(Parser &parser) {
  const TypeExpr *type = parseType(parser);
  bool isForeign = type->kind == TypeExpr::Kind::Named &&
                   parser.token.isOneOf(TokenKind::Star, TokenKind::LBracket, TokenKind::Less);
  if (!isForeign)
    return type;
  parser.fail(parser.token.range(), diag::ExpectedEndOfType, describe(parser.token));
  return errorType(parser, type->range.begin);
}

static const TypeExpr *finishReferenceType(Parser &parser, const char *begin, bool isMut,
                                           const TypeExpr *to) {
  if (to->kind == TypeExpr::Kind::Error)
    return to;
  return finishType(parser, {.kind = TypeExpr::Kind::Reference,
                             .range = parser.from(begin),
                             .element = to,
                             .isMut = isMut});
}

/// &T, &mut T, and slices
static const TypeExpr *parseReferenceType(Parser &parser) {
  const char *begin = parser.advance().begin;
  bool isMut = parser.atWord("mut");
  if (isMut)
    parser.advance();
  if (parser.at(TokenKind::LBracket))
    return parseSliceType(parser, begin, isMut);
  if (!parser.token.isOneOf(TokenKind::Identifier, TokenKind::LParen, TokenKind::Amp)) {
    parser.failExpected(
        "a type: a slice is written '&[f32]' or '&mut [f32]', a reference '&f32' or "
        "'&mut f32'");
    return errorType(parser, begin);
  }
  return finishReferenceType(parser, begin, isMut, parseType(parser));
}

/// &[T], &mut [T], &[T, 2], and the reference to an array, &[T; N]
static const TypeExpr *parseSliceType(Parser &parser, const char *begin, bool isMut) {
  Token opening = parser.advance();
  if (parser.at(TokenKind::Int)) { // &[4]f32
    parser.fail(parser.token.range(), diag::ExpectedType, describe(parser.token),
                ("; a slice is written '&[f32]', and a reference to an array '&[f32; " +
                 parser.token.text() + "]'")
                    .str());
    return errorType(parser, begin);
  }
  const TypeExpr *element = parseType(parser);
  unsigned rank = 1;
  if (parser.accept(TokenKind::Comma) && !parser.at(TokenKind::RBracket)) {
    if (!parser.at(TokenKind::Int) || parser.token.value < 1 || parser.token.value > 4) {
      parser.fail(parser.token.range(), diag::InvalidRank);
      return errorType(parser, begin);
    }
    rank = unsigned(parser.advance().value);
    parser.accept(TokenKind::Comma);
  }
  if (parser.at(TokenKind::Semicolon) && rank == 1)
    return finishReferenceType(parser, begin, isMut, finishArrayType(parser, opening, element));
  if (!parser.expectClosing(TokenKind::RBracket, opening, "']'"))
    return errorType(parser, begin);
  return finishType(parser, {.kind = TypeExpr::Kind::Slice,
                             .range = parser.from(begin),
                             .element = element,
                             .isMut = isMut,
                             .rank = rank});
}

/// [T; N]
static const TypeExpr *parseArrayType(Parser &parser) {
  Token opening = parser.advance();
  if (parser.at(TokenKind::Int)) { // [4]f32
    parser.fail(parser.token.range(), diag::ExpectedType, describe(parser.token),
                ("; an array is written '[f32; " + parser.token.text() + "]'").str());
    return errorType(parser, opening.begin);
  }
  return finishArrayType(parser, opening, parseType(parser));
}

static const TypeExpr *finishArrayType(Parser &parser, Token opening, const TypeExpr *element) {
  if (!parser.accept(TokenKind::Semicolon)) {
    parser.failExpected(
        "';' and the length: an array is '[f32; 4]', a slice is '&[f32]' or '&[f32, 2]'");
    return errorType(parser, opening.begin);
  }
  const Expr *length = parseExpression(parser);
  parser.accept(TokenKind::Comma);
  if (!parser.expectClosing(TokenKind::RBracket, opening, "']'"))
    return errorType(parser, opening.begin);
  return finishType(parser, {.kind = TypeExpr::Kind::Array,
                             .range = parser.from(opening.begin),
                             .element = element,
                             .length = length});
}

/// (T, U)
static const TypeExpr *parseTupleType(Parser &parser) {
  Token opening = parser.advance();
  llvm::SmallVector<const TypeExpr *, 4> elements;
  while (!parser.at(TokenKind::RParen)) {
    elements.push_back(parseType(parser));
    if (!parser.accept(TokenKind::Comma))
      break;
  }
  if (!parser.expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return errorType(parser, opening.begin);
  if (elements.size() < 2) {
    parser.complain(parser.from(opening.begin), diag::TupleTooShort);
    return errorType(parser, opening.begin);
  }
  return finishType(parser, {.kind = TypeExpr::Kind::Tuple,
                             .range = parser.from(opening.begin),
                             .elements = parser.keep<const TypeExpr *>(elements)});
}

} // namespace spl::syntax

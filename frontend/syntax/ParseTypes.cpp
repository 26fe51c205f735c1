// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: names, slices &[T] and &mut [T], arrays [T; N] and tuples (T, U).

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

namespace spl::syntax {

const TypeExpr *Parser::errorType(const char *begin) {
  return finishType({.kind = TypeExpr::Kind::Error, .range = from(begin)});
}

const TypeExpr *Parser::finishType(TypeExpr type) {
  size_t height = 1;
  if (type.element)
    height = std::max<size_t>(height, type.element->height + 1);
  if (type.length)
    height = std::max<size_t>(height, type.length->height + 1);
  for (const TypeExpr *element : type.elements)
    height = std::max<size_t>(height, element->height + 1);
  if (height > maxExpressionHeight) {
    fail(type.range, diag::NestingTooDeep, "a type", maxExpressionHeight);
    return errorType(type.range.begin);
  }
  type.height = height;
  return new (file.arena.Allocate<TypeExpr>()) TypeExpr(type);
}

/// Reports 'mut &[f32]', 'out &[f32]' and 'const &[f32]'.
bool Parser::failForeignMode() {
  bool isWord = atWord("mut") || atWord("out") || atWord("inout") || atWord("ref") ||
                token.isOneOf(TokenKind::Const, TokenKind::In);
  if (!isWord || !peek().isOneOf(TokenKind::Amp, TokenKind::LBracket, TokenKind::Identifier))
    return false;
  constexpr StringRef remedy =
      "a slice is '&[f32]' where it is only read, and '&mut [f32]' where it is written to";
  if (atWord("mut"))
    fail(token.range(), diag::MisplacedMut);
  else if (at(TokenKind::Identifier))
    fail(token.range(), diag::ForeignForm, token.text(), remedy);
  else
    fail(token.range(), diag::ExpectedType, describe(token), ("; " + remedy).str());
  return true;
}

static bool isTypeWord(StringRef word) { return word == "signed" || !typeForForeign(word).empty(); }

std::string typeOfWords(ArrayRef<StringRef> words) {
  if (!llvm::all_of(words, isTypeWord))
    return {};
  StringRef bits = "32";
  for (StringRef word : words)
    if (word != "unsigned" && word != "signed" && word != "int")
      bits = typeForForeign(word).drop_front();
  return (llvm::is_contained(words, "unsigned") ? "u" : "i") + bits.str();
}

/// Reports 'unsigned int' and 'long long'.
bool Parser::failTypeOfWords() {
  auto isWord = [](const Token &word) {
    return word.is(TokenKind::Identifier) && isTypeWord(word.text());
  };
  if (!isWord(token) || !isWord(peek()))
    return false;
  const char *begin = token.begin;
  llvm::SmallVector<StringRef, 4> words;
  while (isWord(token))
    words.push_back(advance().text());
  SourceRange range = from(begin);
  fail(range, diag::ForeignForm, range.text(), "write '" + typeOfWords(words) + "'");
  return true;
}

const TypeExpr *Parser::parseType() {
  Nesting guard(*this);
  const char *begin = token.begin;
  if (guard.isTooDeep())
    return errorType(begin);
  if (failForeignMode() || failTypeOfWords())
    return errorType(begin);
  switch (token.kind) {
  case TokenKind::Identifier: {
    Token name = advance();
    if (name.text() == "gpu" && at(TokenKind::Dot) && peek().text() == "Fragment") {
      advance();
      fail({name.begin, advance().end}, diag::NotYetSupported, "'gpu.Fragment'");
      return errorType(begin);
    }
    return finishType({.kind = TypeExpr::Kind::Named, .range = name.range(), .name = name.text()});
  }
  case TokenKind::Amp:
    return parseSliceType();
  case TokenKind::LBracket:
    return parseArrayType();
  case TokenKind::LParen:
    return parseTupleType();
  case TokenKind::Star:
  case TokenKind::AmpAmp:
    fail(here(), diag::ExpectedType, describe(token), "; a slice is written '&[f32]'");
    return errorType(begin);
  default:
    fail(here(), diag::ExpectedType, describe(token), "");
    return errorType(begin);
  }
}

/// The type of something that is declared. What other languages write after its name is refused
/// here; in 'x as f32 < y' it is an operator.
const TypeExpr *Parser::parseDeclaredType() {
  const TypeExpr *type = parseType();
  bool isForeign = type->kind == TypeExpr::Kind::Named &&
                   token.isOneOf(TokenKind::Star, TokenKind::LBracket, TokenKind::Less);
  if (!isForeign)
    return type;
  fail(token.range(), diag::ExpectedEndOfType, describe(token));
  return errorType(type->range.begin);
}

/// &[T], &mut [T], &[T, 2]
const TypeExpr *Parser::parseSliceType() {
  const char *begin = advance().begin;
  bool isMut = atWord("mut");
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
    accept(TokenKind::Comma);
  }
  if (at(TokenKind::Semicolon)) {
    fail(token.range(), diag::ExpectedToken, "']': a slice has no constant length",
         describe(token));
    return errorType(begin);
  }
  if (!expectClosing(TokenKind::RBracket, opening, "']'"))
    return errorType(begin);
  return finishType({.kind = TypeExpr::Kind::Slice,
                     .range = from(begin),
                     .element = element,
                     .isMut = isMut,
                     .rank = rank});
}

/// [T; N]
const TypeExpr *Parser::parseArrayType() {
  Token opening = advance();
  const TypeExpr *element = parseType();
  if (!accept(TokenKind::Semicolon)) {
    failExpected("';' and the length: an array is '[f32; 4]', a slice is '&[f32]' or '&[f32, 2]'");
    return errorType(opening.begin);
  }
  const Expr *length = parseExpression();
  accept(TokenKind::Comma);
  if (!expectClosing(TokenKind::RBracket, opening, "']'"))
    return errorType(opening.begin);
  return finishType({.kind = TypeExpr::Kind::Array,
                     .range = from(opening.begin),
                     .element = element,
                     .length = length});
}

/// (T, U)
const TypeExpr *Parser::parseTupleType() {
  Token opening = advance();
  llvm::SmallVector<const TypeExpr *, 4> elements;
  while (!at(TokenKind::RParen)) {
    elements.push_back(parseType());
    if (!accept(TokenKind::Comma))
      break;
  }
  if (!expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return errorType(opening.begin);
  if (elements.size() < 2) {
    complain(from(opening.begin), diag::TupleTooShort);
    return errorType(opening.begin);
  }
  return finishType({.kind = TypeExpr::Kind::Tuple,
                     .range = from(opening.begin),
                     .elements = keep<const TypeExpr *>(elements)});
}

} // namespace spl::syntax

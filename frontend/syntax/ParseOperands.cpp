// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operators stand between: names, literals, parentheses, and the calls, indices and members
// after them.

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

Expr *Parser::parsePostfix() {
  Expr *value = parsePrimary();
  while (true) {
    if (at(TokenKind::LParen))
      value = parseCall(value);
    else if (at(TokenKind::LBracket))
      value = parseIndex(value);
    else if (at(TokenKind::Dot))
      value = parseMember(value);
    else
      return value;
  }
}

Expr *Parser::parseCall(Expr *callee) {
  Token opening = advance();
  llvm::SmallVector<Argument, 8> arguments;
  while (!at(TokenKind::RParen) && parseArgument(arguments) && accept(TokenKind::Comma)) {
  }
  if (!expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return error(callee->range.begin);
  llvm::SmallVector<const Expr *, 8> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.value);
  return finish(make<CallExpr>(from(callee->range.begin), callee, keep<Argument>(arguments)),
                {callee}, values);
}

bool Parser::parseArgument(llvm::SmallVectorImpl<Argument> &arguments) {
  std::optional<Identifier> name;
  if (at(TokenKind::Identifier) && peek().is(TokenKind::Colon)) {
    name = Identifier{token.text(), token.range()};
    advance();
    advance();
  } else if (at(TokenKind::Identifier) && peek().is(TokenKind::Equal)) {
    fail(ahead.range(), diag::NamedArgumentEquals, token.text()).fix(":");
    return false;
  } else if (at(TokenKind::Amp)) {
    notYet(token.range(), "a reference to an element ('&place')");
    return false;
  }
  arguments.push_back({name, parseExpression()});
  return !isPanicking;
}

Expr *Parser::parseIndex(Expr *base) {
  Token opening = advance();
  llvm::SmallVector<const Expr *, 4> indices;
  do {
    // A comma may stand after the last index.
    if (at(TokenKind::RBracket) && !indices.empty())
      break;
    if (!at(TokenKind::DotDot))
      indices.push_back(parseExpression());
    if (token.isOneOf(TokenKind::DotDot, TokenKind::DotDotEqual))
      notYet(token.range(), "a sub-slice ('a[i..j]')");
  } while (accept(TokenKind::Comma));
  if (!expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return error(base->range.begin);
  return finish(make<IndexExpr>(from(base->range.begin), base, keep<const Expr *>(indices)), {base},
                indices);
}

Expr *Parser::parseMember(Expr *base) {
  advance();
  if (!at(TokenKind::Identifier) && !isKeyword(token.kind)) {
    fail(here(), diag::ExpectedName, "a member's name after '.'", describe(token));
    return error(base->range.begin);
  }
  // Words may be members: gpu.atomic_and is one name, gpu.match would be too.
  Token name = advance();
  Identifier member{name.text(), name.range()};
  return finish(make<MemberExpr>(base->range.to(member.range), base, member), {base});
}

Expr *Parser::parsePrimary() {
  switch (token.kind) {
  case TokenKind::Int:
  case TokenKind::Float:
    return parseNumber();
  case TokenKind::InvalidLiteral:
    return make<ErrorExpr>(advance().range());
  case TokenKind::True:
  case TokenKind::False: {
    bool value = at(TokenKind::True);
    return make<BoolExpr>(advance().range(), value);
  }
  case TokenKind::Identifier:
    return parseNameOrWord();
  case TokenKind::LParen:
    return parseParenthesised();
  case TokenKind::LBracket:
    notYet(token.range(), "an array");
    return error(token.begin);
  case TokenKind::Self:
    notYet(token.range(), "a method ('self')");
    return error(token.begin);
  case TokenKind::Docstring:
    fail(token.range(), diag::MisplacedDocstring);
    return error(token.begin);
  case TokenKind::String:
    return failExpression("; strings stand only in 'print' and 'assert'");
  case TokenKind::Plus:
    fail(token.range(), diag::ForeignOperator, "+", "a number needs no sign to be positive");
    return error(token.begin);
  case TokenKind::Not:
    return failExpression("; put it in parentheses: '(not ...)'");
  case TokenKind::Amp:
    notYet(token.range(), "a reference to an element ('&place')");
    return error(token.begin);
  default:
    return failExpression();
  }
}

Expr *Parser::failExpression(StringRef hint) {
  const char *begin = token.begin;
  bool isDecrement = at(TokenKind::Newline) && previousEnd - textBegin >= 2 &&
                     StringRef(previousEnd - 2, 2) == "--";
  bool isClosing = token.isOneOf(TokenKind::RParen, TokenKind::RBracket);
  if (isDecrement)
    fail({previousEnd - 2, previousEnd}, diag::ForeignOperator, "--", "write '-= 1'");
  else if (isClosing || !failForeign())
    fail(here(), diag::ExpectedExpression, describe(token), hint);
  return error(begin);
}

Expr *Parser::parseNameOrWord() {
  StringRef name = token.text();
  for (TokenKind kind : {TokenKind::True, TokenKind::False}) {
    StringRef word = remedyForWord(name, kind);
    if (word.empty())
      continue;
    complain(token.range(), diag::ForeignWord, name, word).fix(word.str());
    return make<BoolExpr>(advance().range(), kind == TokenKind::True);
  }
  if (isVectorTypeName(name)) {
    notYet(token.range(), "the vector type '" + name + "'");
    return error(token.begin);
  }
  return make<NameExpr>(advance().range(), name);
}

/// The digits without underscores, which are the text itself where it has none.
static StringRef withoutUnderscores(StringRef text, llvm::BumpPtrAllocator &arena) {
  if (!text.contains('_'))
    return text;
  std::string digits = text.str();
  std::erase(digits, '_');
  return StringRef(digits).copy(arena);
}

Expr *Parser::parseNumber() {
  Token number = advance();
  if (number.is(TokenKind::Int))
    return make<IntExpr>(number.range(), number.value, number.suffix());
  StringRef digits = number.text().drop_back(number.suffixLength);
  return make<FloatExpr>(number.range(), withoutUnderscores(digits, file.arena), number.suffix());
}

Expr *Parser::parseParenthesised() {
  Token opening = advance();
  Expr *inner = parseExpression();
  if (at(TokenKind::Comma))
    notYet(token.range(), "a tuple");
  if (!expectClosing(TokenKind::RParen, opening, "')'"))
    return error(opening.begin);
  inner->range = from(opening.begin);
  return inner;
}

} // namespace spl::syntax

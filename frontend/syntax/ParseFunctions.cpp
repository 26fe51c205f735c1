// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and methods: generics, parameters, result.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

FunctionItem *Parser::parseFunction(const FunctionAttributes &attributes, bool isMethod) {
  const char *begin = advance().begin;
  auto *function = new (file.arena.Allocate<FunctionItem>()) FunctionItem;
  function->attributes = attributes;
  std::optional<Identifier> name = parseName("the function's name");
  bool isGood = name && parseGenerics(*function) && parseParameters(*function, isMethod);
  if (isGood && accept(TokenKind::Arrow))
    function->result = parseType();
  else if (isGood && atResultWithoutArrow())
    fail(token.range(), diag::ExpectedArrow);
  isGood &= !isPanicking && token.isOneOf(TokenKind::Colon, TokenKind::LBrace, TokenKind::Newline);
  function->range = from(begin);
  function->isBroken |= !isGood;

  isInMethod = isMethod || function->hasSelf;
  function->body = parseBlock("the function's header", function->range, &function->doc);
  isInMethod = false;
  if (!isMethod && function->body.empty() && function->doc.empty())
    skipLinesToItem(); // the body, where it was not indented
  if (!name)
    return nullptr;
  function->name = *name;
  return function;
}

/// f(x: i32) f32:, f(x: i32): f32: and f(x: i32) => f32:
bool Parser::atResultWithoutArrow() {
  if (at(TokenKind::Colon)) // no statement begins with a type's name
    return peek().is(TokenKind::Identifier) &&
           (isScalarTypeName(ahead.text()) || !typeForForeign(ahead.text()).empty());
  if (at(TokenKind::Equal))
    return peek().is(TokenKind::Greater);
  return token.isOneOf(TokenKind::Identifier, TokenKind::LBracket, TokenKind::LParen,
                       TokenKind::Amp);
}

/// [T: Num, const N: i64], or nothing.
bool Parser::parseGenerics(FunctionItem &function) {
  if (at(TokenKind::Less)) {
    failExpected("'(' and the parameters; those of a generic function are written 'f[T]'");
    return false;
  }
  if (!at(TokenKind::LBracket))
    return true;
  Token opening = advance();
  llvm::SmallVector<GenericParameter, 4> generics;
  do {
    if (at(TokenKind::RBracket) && !generics.empty())
      break;
    if (!parseGeneric(generics))
      return false;
  } while (accept(TokenKind::Comma));
  function.generics = keep<GenericParameter>(generics);
  return expectClosing(TokenKind::RBracket, opening, "',' or ']'");
}

bool Parser::parseGeneric(llvm::SmallVectorImpl<GenericParameter> &generics) {
  bool isConst = accept(TokenKind::Const);
  std::optional<Identifier> name =
      parseName(isConst ? "the name of a constant parameter" : "the name of a type parameter");
  if (!name)
    return false;
  GenericParameter generic{*name};
  if (isConst) {
    if (!expect(TokenKind::Colon, "':' and the constant's type"))
      return false;
    generic.constType = parseType();
  } else if (accept(TokenKind::Colon)) {
    if (!at(TokenKind::Identifier)) {
      fail(here(), diag::ExpectedName, "a bound: " + boundNames("or"), describe(token));
      return false;
    }
    generic.bound = Identifier{token.text(), token.range()};
    advance();
  }
  generics.push_back(generic);
  return !isPanicking;
}

bool Parser::parseParameters(FunctionItem &function, bool isMethod) {
  Token opening = token;
  if (!expect(TokenKind::LParen, "'(' and the parameters"))
    return false;
  llvm::SmallVector<Parameter, 8> parameters;
  bool isFirst = true;
  while (!at(TokenKind::RParen)) {
    bool isSelf = at(TokenKind::Self) ||
                  (at(TokenKind::Amp) && (peek().is(TokenKind::Self) || ahead.text() == "mut"));
    if (isSelf ? !parseSelf(function, isMethod, isFirst) : !parseParameter(parameters))
      break;
    isFirst = false;
    if (!accept(TokenKind::Comma))
      break;
  }
  function.parameters = keep<Parameter>(parameters);
  if (!expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return false;
  if (isMethod && !function.hasSelf) {
    complain(from(opening.begin), diag::InvalidSelf, "stands first among a method's parameters");
    function.isBroken = true;
  }
  return true;
}

/// self, and what other languages make of it: &self, self: T.
bool Parser::parseSelf(FunctionItem &function, bool isMethod, bool isFirst) {
  const char *begin = token.begin;
  bool isRef = accept(TokenKind::Amp);
  if (isRef && atWord("mut"))
    advance();
  if (!at(TokenKind::Self)) {
    fail(here(), diag::ExpectedName, "a parameter's name", describe(token));
    return false;
  }
  function.hasSelf = true;
  advance();
  if (!isMethod)
    fail(from(begin), diag::InvalidSelf, "belongs to methods, the functions inside a struct");
  else if (!isFirst)
    fail(from(begin), diag::InvalidSelf, "stands first among a method's parameters");
  else if (isRef || at(TokenKind::Colon))
    fail(from(begin), diag::InvalidSelf, "is taken by value, and its type is known: write 'self'");
  return !isPanicking;
}

/// What to write for a parameter that begins with another word than its name.
std::string Parser::parameterRemedy() {
  StringRef word = token.text();
  if (!peek().is(TokenKind::Identifier))
    return {};
  StringRef name = ahead.text();
  bool isSlice = restOfLine(ahead.end).ltrim(": ").starts_with("&");
  if (word == "mut" && isSlice)
    return "; the elements of a '&mut' slice can be written";
  if (word == "mut" || at(TokenKind::Var))
    return ("; it keeps its value, and 'var " + name + " = " + name + "' in the body makes a copy")
        .str();
  if (word == "out" || word == "inout")
    return ("; results go through a slice: '" + name + ": &mut [f32]'").str();
  StringRef ours = isScalarTypeName(word) ? word : typeForForeign(word);
  return ours.empty() ? std::string() : ("; write '" + name + ": " + ours + "'").str();
}

/// Reports 'float x', 'float *x', 'mut x: T', 'const x: T' and 'var x: T'.
bool Parser::failForeignParameter() {
  bool isWord = token.isOneOf(TokenKind::Const, TokenKind::Val, TokenKind::Var);
  bool isPair = at(TokenKind::Identifier) &&
                peek().isOneOf(TokenKind::Identifier, TokenKind::Star, TokenKind::Amp);
  if (!isWord && !isPair)
    return false;
  fail(token.range(), diag::ParameterForm, parameterRemedy());
  return true;
}

/// x: T, x: T = e, #[alias] x: T
bool Parser::parseParameter(llvm::SmallVectorImpl<Parameter> &parameters) {
  bool isAlias = false;
  while (at(TokenKind::HashLBracket)) {
    SourceRange name = peek().range();
    if (!parseAliasAttribute())
      return false;
    if (isAlias)
      complain(name, diag::DuplicateAttribute, "alias");
    isAlias = true;
  }
  if (failForeignParameter())
    return false;
  std::optional<Identifier> name = parseName("a parameter's name");
  if (!name)
    return false;
  if (!accept(TokenKind::Colon)) {
    fail(name->range, diag::MissingParameterType, name->name);
    return false;
  }
  const TypeExpr *type = parseDeclaredType();
  const Expr *byDefault = accept(TokenKind::Equal) ? parseExpression() : nullptr;
  parameters.push_back({*name, type, byDefault, isAlias});
  return !isPanicking;
}

} // namespace spl::syntax

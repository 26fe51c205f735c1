// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and methods: parameters, result.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseBlocks.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

static bool parseParameter(Parser &parser, llvm::SmallVectorImpl<Parameter> &parameters);
static bool parseParameters(Parser &parser, FunctionItem &function, bool isMethod);
static bool parseSelf(Parser &parser, FunctionItem &function, bool isMethod, bool isFirst);

static constexpr StringRef functionForm =
    "'(' and the parameters; those of a generic function are written 'f[T]'";

FunctionItem *parseFunction(Parser &parser, const FunctionAttributes &attributes, bool isMethod) {
  const char *begin = parser.advance().begin;
  auto *function = new (parser.file.arena.Allocate<FunctionItem>()) FunctionItem;
  function->attributes = attributes;
  std::optional<Identifier> name = parseName(parser, "the function's name");
  bool isGood = name && parseGenerics(parser, functionForm, function->generics) &&
                parseParameters(parser, *function, isMethod);
  if (isGood && parser.accept(TokenKind::Arrow))
    function->result = parseDeclaredType(parser);
  else if (isGood && atResultWithoutArrow(parser))
    parser.fail(parser.token.range(), diag::ExpectedArrow);
  isGood &= !parser.isPanicking &&
            parser.token.isOneOf(TokenKind::Colon, TokenKind::LBrace, TokenKind::Newline);
  function->range = parser.from(begin);
  function->isBroken |= !isGood;

  parser.isInMethod = isMethod || function->hasSelf();
  function->body = parseBlock(parser, "the function's header", function->range, &function->doc);
  parser.isInMethod = false;
  if (!isMethod && function->body.empty() && function->doc.empty())
    skipLinesToItem(parser); // skips the body if it is not indented
  if (!name)
    return nullptr;
  function->name = *name;
  return function;
}

static bool parseParameters(Parser &parser, FunctionItem &function, bool isMethod) {
  Token opening = parser.token;
  if (!parser.expect(TokenKind::LParen, "'(' and the parameters"))
    return false;
  llvm::SmallVector<Parameter, 8> parameters;
  bool isFirst = true;
  while (!parser.at(TokenKind::RParen)) {
    bool isSelf =
        parser.at(TokenKind::Self) ||
        (parser.at(TokenKind::Amp) && (parser.peek().is(TokenKind::Self) ||
                                       (parser.ahead.text() == "mut" &&
                                        restOfLine(parser.ahead.end).ltrim().starts_with("self"))));
    if (isSelf ? !parseSelf(parser, function, isMethod, isFirst)
               : !parseParameter(parser, parameters))
      break;
    isFirst = false;
    if (!parser.accept(TokenKind::Comma))
      break;
  }
  function.parameters = parser.keep<Parameter>(parameters);
  if (!parser.expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return false;
  if (isMethod && !function.hasSelf()) {
    parser.complain(parser.from(opening.begin), diag::InvalidSelf,
                    "must be the first parameter of a method");
    function.isBroken = true;
  }
  return true;
}

/// self, &self, &mut self
static bool parseSelf(Parser &parser, FunctionItem &function, bool isMethod, bool isFirst) {
  const char *begin = parser.token.begin;
  bool isRef = parser.accept(TokenKind::Amp);
  bool isMut = isRef && parser.atWord("mut");
  if (isMut)
    parser.advance();
  if (!parser.at(TokenKind::Self)) {
    parser.fail(parser.here(), diag::ExpectedName, "a parameter's name", describe(parser.token));
    return false;
  }
  function.self = isMut ? SelfKind::MutReference : isRef ? SelfKind::Reference : SelfKind::Value;
  parser.advance();
  if (!isMethod)
    parser.fail(parser.from(begin), diag::InvalidSelf,
                "can only be used in methods, the functions inside a struct");
  else if (!isFirst)
    parser.fail(parser.from(begin), diag::InvalidSelf, "must be the first parameter of a method");
  else if (parser.at(TokenKind::Colon))
    parser.fail(parser.from(begin), diag::InvalidSelf,
                "has no type; write 'self', '&self' or '&mut self'");
  return !parser.isPanicking;
}

/// x: T, x: T = e, #[alias] x: T
static bool parseParameter(Parser &parser, llvm::SmallVectorImpl<Parameter> &parameters) {
  bool isAlias = false;
  while (parser.at(TokenKind::HashLBracket)) {
    SourceRange name = parser.peek().range();
    if (!parseAliasAttribute(parser))
      return false;
    if (isAlias)
      parser.complain(name, diag::DuplicateAttribute, "alias");
    isAlias = true;
  }
  if (failForeignParameter(parser))
    return false;
  std::optional<Identifier> name = parseName(parser, "a parameter's name");
  if (!name)
    return false;
  if (!parser.accept(TokenKind::Colon)) {
    parser.fail(name->range, diag::MissingParameterType, name->name);
    return false;
  }
  const TypeExpr *type = parseDeclaredType(parser);
  const Expr *byDefault = parser.accept(TokenKind::Equal) ? parseExpression(parser) : nullptr;
  parameters.push_back({*name, type, byDefault, isAlias});
  return !parser.isPanicking;
}

} // namespace spl::syntax

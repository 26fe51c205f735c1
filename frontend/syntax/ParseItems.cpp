// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands at the top level of a file: functions with their attributes and parameters, and the
// items of later versions, which are reported and skipped.

#include "frontend/syntax/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

namespace spl::syntax {

void Parser::parseFile() {
  if (at(TokenKind::Docstring))
    file.doc = parseDocstring();
  while (!at(TokenKind::EndOfFile))
    parseItem();
  file.functions = keep<const FunctionItem *>(functions);
  file.skippedNames = keep<StringRef>(skippedNames);
}

/// Whether an item begins here; 'def f' and its like are corrected to 'fn f'.
bool Parser::atItem() {
  if (at(TokenKind::Identifier) && peek().is(TokenKind::Identifier))
    acceptForeignWord(TokenKind::Fn) || acceptForeignWord(TokenKind::Use);
  return token.isOneOf(TokenKind::HashLBracket, TokenKind::Fn, TokenKind::Struct, TokenKind::Enum,
                       TokenKind::Const, TokenKind::Use);
}

void Parser::parseItem() {
  if (at(TokenKind::Indent)) {
    advance();
    complain(token.range(), diag::UnexpectedIndent);
    return;
  }
  if (accept(TokenKind::Dedent))
    return;
  Attributes attributes;
  while (at(TokenKind::HashLBracket))
    parseAttribute(attributes);
  if (at(TokenKind::EndOfFile))
    return void(complain(attributes.range, diag::MisplacedAttribute));
  if (atItem() && !at(TokenKind::Fn) && attributes.range.isValid())
    complain(attributes.range, diag::MisplacedAttribute);
  switch (token.kind) {
  case TokenKind::Fn:
    return parseFunction(attributes);
  case TokenKind::Struct:
    return skipUnsupportedItem("'struct'");
  case TokenKind::Enum:
    return skipUnsupportedItem("'enum'");
  case TokenKind::Const:
    return skipUnsupportedItem("'const'");
  case TokenKind::Use:
    return skipUse();
  case TokenKind::Docstring:
    fail(token.range(), diag::MisplacedDocstring);
    break;
  default:
    if (!token.is(TokenKind::Identifier) && !isKeyword(token.kind) && failForeign())
      break;
    fail(token.range(), diag::ExpectedItem, describe(token));
  }
  recover();
  skipLinesToItem();
}

/// Lines that belong to no item are one mistake, however many there are.
void Parser::skipLinesToItem() {
  while (!at(TokenKind::EndOfFile) && !atItem()) {
    panic();
    if (at(TokenKind::EndOfFile))
      break;
    isPanicking = true;
    recover();
    // Only what leads to an item may be read loudly.
    while (at(TokenKind::Dedent))
      advance();
    if (at(TokenKind::Indent))
      skipBlock();
  }
}

void Parser::skipUnsupportedItem(StringRef construct) {
  SourceRange word = advance().range();
  if (at(TokenKind::Identifier))
    skippedNames.push_back(token.text());
  notYet(word, construct);
  recover();
}

/// use helpers.{a, b}: every name in it may be used later.
void Parser::skipUse() {
  SourceRange word = advance().range();
  while (!atLineEnd()) {
    if (at(TokenKind::Identifier))
      skippedNames.push_back(token.text());
    advance();
  }
  notYet(word, "'use'");
  recover();
}

/// #[gpu], on a line of its own or before the function.
void Parser::parseAttribute(Attributes &attributes) {
  Token opening = advance();
  Token name = token;
  if (!attributes.range.isValid())
    attributes.range = {opening.begin, name.end};
  bool isLater = llvm::StringSwitch<bool>(name.text())
                     .Cases({"inline", "noinline", "fast_math", "unchecked", "alias"}, true)
                     .Default(false);
  if (!name.is(TokenKind::Identifier)) {
    fail(name.range(), diag::ExpectedName, "an attribute's name", describe(name));
  } else if (isLater) {
    notYet(name.range(), "the attribute '" + name.text() + "'");
  } else if (name.text() != "gpu") {
    fail(name.range(), diag::UnknownAttribute, name.text());
  } else {
    if (attributes.isGpu)
      complain(name.range(), diag::DuplicateAttribute, name.text());
    attributes.isGpu = true;
    advance();
    if (at(TokenKind::LParen))
      notYet(token.range(), "a launch bound in '#[gpu(...)]'");
    expectClosing(TokenKind::RBracket, opening, "']'");
  }
  accept(TokenKind::Newline);
  isPanicking = false;
}

void Parser::parseFunction(const Attributes &attributes) {
  const char *begin = advance().begin;
  auto *function = new (file.arena.Allocate<FunctionItem>()) FunctionItem;
  function->attributes.isGpu = attributes.isGpu;
  std::optional<Identifier> name = parseName("the function's name");
  if (name && at(TokenKind::LBracket)) {
    skippedNames.push_back(name->name);
    notYet(token.range(), "a generic function");
    return recover();
  }
  bool isGood = name && parseParameters(*function);
  if (isGood && accept(TokenKind::Arrow))
    function->result = parseType();
  isGood &= !isPanicking && !at(TokenKind::Invalid);
  function->range = from(begin);
  function->isBroken |= !isGood;
  function->body = parseBlock("the function's header", function->range, &function->doc);
  if (!name)
    return;
  function->name = *name;
  functions.push_back(function);
}

bool Parser::parseParameters(FunctionItem &function) {
  Token opening = token;
  if (!expect(TokenKind::LParen, "'(' and the parameters"))
    return false;
  llvm::SmallVector<Parameter, 8> parameters;
  while (!at(TokenKind::RParen) && parseParameter(parameters)) {
    if (at(TokenKind::Equal)) {
      notYet(token.range(), "a default argument");
      break;
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  function.parameters = keep<Parameter>(parameters);
  return expectClosing(TokenKind::RParen, opening, "',' or ')'");
}

bool Parser::parseParameter(llvm::SmallVectorImpl<Parameter> &parameters) {
  if (at(TokenKind::HashLBracket)) {
    notYet(token.range(), "an attribute of a parameter");
    return false;
  }
  std::optional<Identifier> name = parseName("a parameter's name");
  if (!name)
    return false;
  if (!accept(TokenKind::Colon)) {
    fail(name->range, diag::MissingParameterType, name->name);
    return false;
  }
  parameters.push_back({*name, parseType()});
  return !isPanicking;
}

/// The text between the quotes, without white space around it.
StringRef Parser::parseDocstring() {
  StringRef text = advance().text().drop_front(3).drop_back(3).trim();
  endLine();
  recover();
  return text;
}

/// A name that is declared here: not a keyword, not a type's name.
std::optional<Identifier> Parser::parseName(StringRef what) {
  StringRef name = token.text();
  bool isTypeName = isScalarTypeName(name) || isVectorTypeName(name);
  if (isKeyword(token.kind) || (at(TokenKind::Identifier) && isTypeName)) {
    fail(token.range(), diag::ReservedName, name,
         isTypeName ? "the name of a type" : "a word of the language", what);
    return std::nullopt;
  }
  if (!at(TokenKind::Identifier)) {
    if (at(TokenKind::Equal) || !failForeign())
      fail(here(), diag::ExpectedName, what, describe(token));
    return std::nullopt;
  }
  return Identifier{name, advance().range()};
}

} // namespace spl::syntax

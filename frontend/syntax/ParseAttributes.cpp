// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: #[name] before a function, with the launch bounds of #[gpu(...)], and #[alias] before
// a parameter.

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

/// What the attribute of that name sets; null for other names.
static bool *flagOf(FunctionAttributes &attributes, StringRef name) {
#define ATTRIBUTE(Name, Field)                                                                     \
  if (name == Name)                                                                                \
    return &attributes.Field;
#include "frontend/syntax/Attributes.def"
  return nullptr;
}

/// "gpu, inline ... or unchecked"
static std::string attributeNames() {
  std::string names;
#define ATTRIBUTE(Name, Field) names += names.empty() ? Name : ", " Name;
#include "frontend/syntax/Attributes.def"
  return names;
}

/// [gpu], which is corrected to #[gpu].
bool Parser::acceptBareAttribute() {
  FunctionAttributes ofFunctions;
  if (!at(TokenKind::LBracket) || !peek().is(TokenKind::Identifier) ||
      !flagOf(ofFunctions, ahead.text()))
    return false;
  std::string attribute = "[" + ahead.text().str();
  complain(token.range(), diag::ForeignForm, attribute + "]",
           "an attribute is written '#" + attribute + "]'")
      .fix("#[");
  token.kind = TokenKind::HashLBracket;
  return true;
}

/// #[name], on a line of its own or before the function.
void Parser::parseAttribute(FunctionAttributes &attributes) {
  Token opening = advance();
  Token name = token;
  if (!attributes.range.isValid())
    attributes.range = {opening.begin, name.end};
  bool *flag = flagOf(attributes, name.text());
  if (!name.is(TokenKind::Identifier)) {
    fail(name.range(), diag::ExpectedName, "an attribute's name", describe(name));
  } else if (name.text() == "alias") {
    fail(name.range(), diag::MisplacedAttribute, "'alias'", "a parameter");
  } else if (!flag) {
    fail(name.range(), diag::UnknownAttribute, name.text(), attributeNames());
    attributes.isBroken = true;
  } else {
    if (*flag)
      complain(name.range(), diag::DuplicateAttribute, name.text());
    *flag = true;
    if (attributes.isInline && attributes.isNoinline)
      complain(name.range(), diag::ConflictingAttributes, "inline", "noinline");
    advance();
    if (flag == &attributes.isGpu && at(TokenKind::LParen))
      parseLaunchBounds(attributes);
    expectClosing(TokenKind::RBracket, opening, "']'; each attribute has brackets of its own");
  }
  accept(TokenKind::Newline);
  isPanicking = false;
}

/// (block: [256], min_blocks: 2), both or one.
void Parser::parseLaunchBounds(FunctionAttributes &attributes) {
  Token opening = advance();
  do {
    // A comma may stand after the last.
    bool isSecond = !attributes.block.empty() || attributes.minBlocks;
    if (isSecond && at(TokenKind::RParen))
      break;
    Token name = token;
    bool isBlock = atWord("block");
    if (!isBlock && !atWord("min_blocks"))
      return void(
          fail(here(), diag::ExpectedName, "'block: [...]' or 'min_blocks: ...'", describe(token)));
    if (isBlock ? !attributes.block.empty() : attributes.minBlocks != nullptr)
      complain(name.range(), diag::DuplicateAttribute, name.text());
    advance();
    if (at(TokenKind::Equal))
      return void(fail(token.range(), diag::NamedArgumentEquals, name.text()).fix(":"));
    if (!expect(TokenKind::Colon, "':' and its value"))
      return;
    if (isBlock)
      parseBlockSize(attributes);
    else
      attributes.minBlocks = parseExpression();
  } while (accept(TokenKind::Comma));
  expectClosing(TokenKind::RParen, opening, "',' or ')'");
}

/// [x, y, z]: one extent to three.
void Parser::parseBlockSize(FunctionAttributes &attributes) {
  Token opening = token;
  if (!expect(TokenKind::LBracket, "'[' and the extents: 'block: [256]' or 'block: [16, 16]'"))
    return;
  llvm::SmallVector<const Expr *, 3> extents;
  do {
    if (at(TokenKind::RBracket) && !extents.empty())
      break;
    extents.push_back(parseExpression());
  } while (accept(TokenKind::Comma));
  if (!expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return;
  if (extents.size() > 3)
    complain(from(opening.begin), diag::TooManyExtents, unsigned(extents.size()));
  attributes.block = keep<const Expr *>(extents);
}

/// #[alias] before a parameter. Answers whether it is that.
bool Parser::parseAliasAttribute() {
  Token opening = advance();
  FunctionAttributes ofFunctions;
  if (atWord("alias")) {
    advance();
    return expectClosing(TokenKind::RBracket, opening, "']'");
  }
  if (!at(TokenKind::Identifier))
    fail(here(), diag::ExpectedName, "an attribute's name", describe(token));
  else if (flagOf(ofFunctions, token.text()))
    fail(token.range(), diag::MisplacedAttribute, "'" + token.text().str() + "'", "a function");
  else
    fail(token.range(), diag::UnknownAttribute, token.text(), "alias");
  return false;
}

} // namespace spl::syntax

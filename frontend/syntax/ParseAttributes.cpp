// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: #[name] before a function, with the launch bounds of #[gpu(...)], and #[alias] before
// a parameter.

#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"

namespace spl::syntax {

static void parseBlockSize(Parser &parser, FunctionAttributes &attributes);
static void parseLaunchBounds(Parser &parser, FunctionAttributes &attributes);

/// Returns the flag that the attribute called `name` sets; null for other names.
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

/// Corrects [gpu] to #[gpu].
bool acceptBareAttribute(Parser &parser) {
  FunctionAttributes ofFunctions;
  if (!parser.at(TokenKind::LBracket) || !parser.peek().is(TokenKind::Identifier) ||
      !flagOf(ofFunctions, parser.ahead.text()))
    return false;
  std::string attribute = "[" + parser.ahead.text().str();
  parser
      .complain(parser.token.range(), diag::ForeignForm, attribute + "]",
                "an attribute is written '#" + attribute + "]'")
      .fix("#[");
  parser.token.kind = TokenKind::HashLBracket;
  return true;
}

/// #[name], on a line of its own or before the function.
void parseAttribute(Parser &parser, FunctionAttributes &attributes) {
  Token opening = parser.advance();
  Token name = parser.token;
  if (!attributes.range.isValid())
    attributes.range = {opening.begin, name.end};
  bool *flag = flagOf(attributes, name.text());
  if (!name.is(TokenKind::Identifier)) {
    parser.fail(name.range(), diag::ExpectedName, "an attribute's name", describe(name));
  } else if (name.text() == "alias") {
    parser.fail(name.range(), diag::MisplacedAttribute, "'alias'", "a parameter");
  } else if (!flag) {
    parser.fail(name.range(), diag::UnknownAttribute, name.text(), attributeNames());
    attributes.isBroken = true;
  } else {
    if (*flag)
      parser.complain(name.range(), diag::DuplicateAttribute, name.text());
    *flag = true;
    if (attributes.isInline && attributes.isNoinline)
      parser.complain(name.range(), diag::ConflictingAttributes, "inline", "noinline");
    parser.advance();
    if (flag == &attributes.isGpu && parser.at(TokenKind::LParen))
      parseLaunchBounds(parser, attributes);
    parser.expectClosing(TokenKind::RBracket, opening,
                         "']'; each attribute has brackets of its own");
  }
  parser.accept(TokenKind::Newline);
  parser.isPanicking = false;
}

/// Parses (block: [256], min_blocks: 2). One of the two may be missing.
static void parseLaunchBounds(Parser &parser, FunctionAttributes &attributes) {
  Token opening = parser.advance();
  do {
    // A comma may follow the last bound.
    bool isSecond = !attributes.block.empty() || attributes.minBlocks;
    if (isSecond && parser.at(TokenKind::RParen))
      break;
    Token name = parser.token;
    bool isBlock = parser.atWord("block");
    if (!isBlock && !parser.atWord("min_blocks"))
      return void(parser.fail(parser.here(), diag::ExpectedName,
                              "'block: [...]' or 'min_blocks: ...'", describe(parser.token)));
    if (isBlock ? !attributes.block.empty() : attributes.minBlocks != nullptr)
      parser.complain(name.range(), diag::DuplicateAttribute, name.text());
    parser.advance();
    if (parser.at(TokenKind::Equal))
      return void(
          parser.fail(parser.token.range(), diag::NamedArgumentEquals, name.text()).fix(":"));
    if (!parser.expect(TokenKind::Colon, "':' and its value"))
      return;
    if (isBlock)
      parseBlockSize(parser, attributes);
    else
      attributes.minBlocks = parseExpression(parser);
  } while (parser.accept(TokenKind::Comma));
  parser.expectClosing(TokenKind::RParen, opening, "',' or ')'");
}

/// [x, y, z]: one extent to three.
static void parseBlockSize(Parser &parser, FunctionAttributes &attributes) {
  Token opening = parser.token;
  if (!parser.expect(TokenKind::LBracket,
                     "'[' and the extents: 'block: [256]' or 'block: [16, 16]'"))
    return;
  llvm::SmallVector<const Expr *, 3> extents;
  do {
    if (parser.at(TokenKind::RBracket) && !extents.empty())
      break;
    extents.push_back(parseExpression(parser));
  } while (parser.accept(TokenKind::Comma));
  if (!parser.expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return;
  if (extents.size() > 3)
    parser.complain(parser.from(opening.begin), diag::TooManyExtents, unsigned(extents.size()));
  attributes.block = parser.keep<const Expr *>(extents);
}

/// Parses #[alias] before a parameter. Returns whether the attribute is #[alias].
bool parseAliasAttribute(Parser &parser) {
  Token opening = parser.advance();
  FunctionAttributes ofFunctions;
  if (parser.atWord("alias")) {
    parser.advance();
    return parser.expectClosing(TokenKind::RBracket, opening, "']'");
  }
  if (!parser.at(TokenKind::Identifier))
    parser.fail(parser.here(), diag::ExpectedName, "an attribute's name", describe(parser.token));
  else if (flagOf(ofFunctions, parser.token.text()))
    parser.fail(parser.token.range(), diag::MisplacedAttribute,
                "'" + parser.token.text().str() + "'", "a function");
  else
    parser.fail(parser.token.range(), diag::UnknownAttribute, parser.token.text(), "alias");
  return false;
}

} // namespace spl::syntax

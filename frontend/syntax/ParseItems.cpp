// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The top level of a file, use and const. Functions, structs and enums have files of their own.

#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseStatements.h"
#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

static void failItem(Parser &parser);
static void parseConst(Parser &parser);
static void parseItem(Parser &parser);
static void parseUse(Parser &parser);

void parseFile(Parser &parser) {
  if (parser.at(TokenKind::Docstring))
    parser.file.doc = parseDocstring(parser);
  while (!parser.at(TokenKind::EndOfFile))
    parseItem(parser);
  parser.file.uses = parser.keep<UseItem>(parser.items.uses);
  parser.file.constants = parser.keep<const ConstItem *>(parser.items.constants);
  parser.file.structs = parser.keep<const StructItem *>(parser.items.structs);
  parser.file.enums = parser.keep<const EnumItem *>(parser.items.enums);
  parser.file.functions = parser.keep<const FunctionItem *>(parser.items.functions);
  parser.file.skippedNames = parser.keep<StringRef>(parser.items.skippedNames);
}

/// Whether an item begins here. Corrects 'def f' and similar forms to 'fn f'.
static bool atItem(Parser &parser) {
  if (parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::Identifier))
    for (TokenKind kind : {TokenKind::Fn, TokenKind::Use, TokenKind::Struct, TokenKind::Const})
      if (acceptForeignWord(parser, kind))
        break;
  return acceptBareAttribute(parser) ||
         parser.token.isOneOf(TokenKind::HashLBracket, TokenKind::Fn, TokenKind::Struct,
                              TokenKind::Enum, TokenKind::Const, TokenKind::Use);
}

static void parseItem(Parser &parser) {
  if (parser.accept(TokenKind::Indent)) {
    if (atItem(parser)) // otherwise the code below reports the error
      parser.complain(parser.token.range(), diag::UnexpectedIndent);
    return;
  }
  if (parser.accept(TokenKind::Dedent))
    return;
  FunctionAttributes attributes;
  while (parser.at(TokenKind::HashLBracket) || acceptBareAttribute(parser))
    parseAttribute(parser, attributes);
  bool isFunction = atItem(parser) && parser.at(TokenKind::Fn);
  if (attributes.range.isValid() && !attributes.isBroken && !isFunction &&
      (atItem(parser) || parser.at(TokenKind::EndOfFile)))
    parser.complain(attributes.range, diag::MisplacedAttribute, "an attribute", "a function");
  switch (parser.token.kind) {
  case TokenKind::Fn:
    if (FunctionItem *function = parseFunction(parser, attributes, false))
      parser.items.functions.push_back(function);
    return;
  case TokenKind::Struct:
    return parseStruct(parser);
  case TokenKind::Enum:
    return parseEnum(parser);
  case TokenKind::Const:
    return parseConst(parser);
  case TokenKind::Use:
    return parseUse(parser);
  case TokenKind::EndOfFile:
    return;
  case TokenKind::Docstring:
    parser.fail(parser.token.range(), diag::MisplacedDocstring);
    break;
  default: {
    const char *begin = parser.token.begin;
    bool isTemplate = parser.atWord("template");
    failItem(parser);
    if (isTemplate) // <typename T>
      skipNames(parser, begin);
  }
  }
  parser.recover();
  skipLinesToItem(parser);
}

/// Reports that the token begins no item.
static void failItem(Parser &parser) {
  if (failForeignAlias(parser))
    return;
  bool isNamed =
      parser.at(TokenKind::Identifier) && parser.peek().isOneOf(TokenKind::Equal, TokenKind::Colon);
  bool declares = isNamed || parser.token.isOneOf(TokenKind::Val, TokenKind::Var) ||
                  !hintForWord(parser.token.text(), TokenKind::Val).empty();
  bool isFunction = atForeignDeclaration(parser);
  if (isNamed)
    parser.items.skippedNames.push_back(parser.token.text());
  if (declares)
    parser.fail(parser.token.range(), diag::ExpectedItem, describe(parser.token),
                "; write 'const N = 1' for a constant");
  else if (isFunction) // int f(int n)
    parser.fail(parser.token.range(), diag::ExpectedItem, describe(parser.token),
                "; write 'fn f(x: f32) -> f32:' for a function");
  else if (parser.atWord("gpu") && parser.peek().is(TokenKind::Fn))
    parser.fail(parser.token.range(), diag::ForeignForm, "gpu fn",
                "write '#[gpu]' on the line before 'fn'");
  else if (parser.atWord("static_assert"))
    parser.fail(parser.token.range(), diag::ExpectedItem, describe(parser.token),
                "; write 'assert c' in a function");
  else if (!failForeign(parser))
    parser.fail(parser.token.range(), diag::ExpectedItem, describe(parser.token), "");
}

/// A sequence of lines that belong to no item is one error.
void skipLinesToItem(Parser &parser) {
  while (!parser.at(TokenKind::EndOfFile) && !atItem(parser)) {
    if (parser.accept(
            TokenKind::Dedent)) // the end of an indented line, after which an item may follow
      continue;
    StringRef rest = restOfLine(parser.token.end).ltrim();
    if (parser.at(TokenKind::Identifier) && (rest.starts_with("=") || rest.starts_with(":")))
      parser.items.skippedNames.push_back(parser.token.text()); // N = 16
    if (StringRef alias = aliasHere(parser); !alias.empty())
      parser.items.skippedNames.push_back(alias);
    parser.panic();
    if (parser.at(TokenKind::EndOfFile))
      break;
    parser.isPanicking = true;
    parser.recover();
    // Errors of the lexer are reported only in the text that leads to an item.
    while (parser.at(TokenKind::Dedent))
      parser.advance();
    if (parser.at(TokenKind::Indent))
      parser.skipBlock();
  }
}

/// use helpers.{clamp01, Vec}, use helpers.clamp01
static void parseUse(Parser &parser) {
  const char *begin = parser.advance().begin;
  const char *textAfter = parser.previousEnd;
  llvm::SmallVector<Identifier, 4> path, names;
  bool isGood = true;
  auto parsePart = [&](llvm::SmallVectorImpl<Identifier> &list, StringRef what) {
    std::optional<Identifier> name = parseName(parser, what);
    if (name)
      list.push_back(*name);
    return name.has_value();
  };
  do {
    if (!path.empty() && parser.at(TokenKind::LBrace)) {
      Token opening = parser.advance();
      do {
        if (parser.at(TokenKind::RBrace) && !names.empty())
          break;
        isGood = parsePart(names, "an imported name");
      } while (isGood && parser.accept(TokenKind::Comma));
      isGood = isGood && parser.expectClosing(TokenKind::RBrace, opening, "',' or '}'");
      break;
    }
    isGood = parsePart(path, path.empty() ? "the name of a file" : "an imported name");
  } while (isGood && parser.accept(TokenKind::Dot));

  if (isGood && names.empty() && path.size() < 2) {
    parser.fail(parser.at(TokenKind::LBrace) ? parser.token.range() : parser.afterPrevious(),
                diag::ExpectedToken, "'.' and what is used of the file: 'use helpers.clamp01'",
                describe(parser.token));
    isGood = false;
  }
  if (isGood && names.empty())
    names.push_back(path.pop_back_val());
  SourceRange range = parser.from(begin);
  isGood = isGood && parser.endLine();
  if (isGood)
    parser.items.uses.push_back(
        {range, parser.keep<Identifier>(path), parser.keep<Identifier>(names)});
  else
    skipNames(parser, textAfter);
  parser.recover();
}

/// Any name in the skipped text may be the name of an item.
void skipNames(Parser &parser, const char *begin) {
  StringRef text(begin, std::max(begin, parser.previousEnd) - begin);
  while (true) {
    text = text.drop_until(lex::isIdentifierStart);
    if (text.empty())
      return;
    StringRef name = text.take_while(lex::isIdentifierPart);
    parser.items.skippedNames.push_back(name);
    text = text.drop_front(name.size());
  }
}

/// const NAME: T = e
static void parseConst(Parser &parser) {
  parser.advance();
  bool isTyped = atForeignDeclaration(parser);
  if (isTyped) { // const int N = 16;
    const char *text = parser.token.begin;
    parser.fail(parser.token.range(), diag::ExpectedName, "the constant's name: 'const N: i32 = 1'",
                describe(parser.token));
    skipNames(parser, text);
    return parser.recover();
  }
  std::optional<Identifier> name = parseName(parser, "the constant's name");
  const TypeExpr *type =
      name && parser.accept(TokenKind::Colon) ? parseDeclaredType(parser) : nullptr;
  const Expr *value = name ? parseInitialiser(parser, name->range, type != nullptr) : nullptr;
  bool isGood = name && !parser.isPanicking && !llvm::isa<ErrorExpr>(value) && parser.endLine();
  if (isGood)
    parser.items.constants.push_back(new (parser.file.arena.Allocate<ConstItem>())
                                         ConstItem{*name, type, value});
  else if (name)
    parser.items.skippedNames.push_back(name->name);
  parser.accept(TokenKind::Newline);
  parser.recover();
}

/// Returns the text between the quotes, without white space around it.
StringRef parseDocstring(Parser &parser) {
  StringRef text = parser.advance().text().drop_front(3).drop_back(3).trim();
  parser.endLine();
  parser.recover();
  return text;
}

/// Parses the name of a declaration. Reports keywords and names of types.
std::optional<Identifier> parseName(Parser &parser, StringRef what) {
  StringRef name = parser.token.text();
  bool isTypeName = isScalarTypeName(name) || isVectorTypeName(name);
  if (isKeyword(parser.token.kind) || (parser.at(TokenKind::Identifier) && isTypeName)) {
    if (parser.peek().is(TokenKind::Identifier)) // fn fn f(): the second word is the name
      parser.items.skippedNames.push_back(parser.ahead.text());
    parser.fail(parser.token.range(), diag::ReservedName, name,
                isTypeName ? "the name of a type" : "a keyword", what);
    return std::nullopt;
  }
  if (!parser.at(TokenKind::Identifier)) {
    if (parser.at(TokenKind::Equal) || !failForeign(parser))
      parser.fail(parser.here(), diag::ExpectedName, what, describe(parser.token));
    return std::nullopt;
  }
  return Identifier{name, parser.advance().range()};
}

} // namespace spl::syntax

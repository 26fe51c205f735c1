// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands at the top level of a file; use and const. Functions, structs and enums have their
// own files.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

void Parser::parseFile() {
  if (at(TokenKind::Docstring))
    file.doc = parseDocstring();
  while (!at(TokenKind::EndOfFile))
    parseItem();
  file.uses = keep<UseItem>(uses);
  file.constants = keep<const ConstItem *>(constants);
  file.structs = keep<const StructItem *>(structs);
  file.enums = keep<const EnumItem *>(enums);
  file.functions = keep<const FunctionItem *>(functions);
  file.skippedNames = keep<StringRef>(skippedNames);
}

/// Whether an item begins here; 'def f' and its like are corrected to 'fn f'.
bool Parser::atItem() {
  if (at(TokenKind::Identifier) && peek().is(TokenKind::Identifier))
    for (TokenKind kind : {TokenKind::Fn, TokenKind::Use, TokenKind::Struct, TokenKind::Const})
      if (acceptForeignWord(kind))
        break;
  return acceptBareAttribute() ||
         token.isOneOf(TokenKind::HashLBracket, TokenKind::Fn, TokenKind::Struct, TokenKind::Enum,
                       TokenKind::Const, TokenKind::Use);
}

void Parser::parseItem() {
  if (accept(TokenKind::Indent)) {
    if (atItem()) // else what is wrong with it is said below
      complain(token.range(), diag::UnexpectedIndent);
    return;
  }
  if (accept(TokenKind::Dedent))
    return;
  FunctionAttributes attributes;
  while (at(TokenKind::HashLBracket) || acceptBareAttribute())
    parseAttribute(attributes);
  bool isFunction = atItem() && at(TokenKind::Fn);
  if (attributes.range.isValid() && !attributes.isBroken && !isFunction &&
      (atItem() || at(TokenKind::EndOfFile)))
    complain(attributes.range, diag::MisplacedAttribute, "an attribute", "a function");
  switch (token.kind) {
  case TokenKind::Fn:
    if (FunctionItem *function = parseFunction(attributes, false))
      functions.push_back(function);
    return;
  case TokenKind::Struct:
    return parseStruct();
  case TokenKind::Enum:
    return parseEnum();
  case TokenKind::Const:
    return parseConst();
  case TokenKind::Use:
    return parseUse();
  case TokenKind::EndOfFile:
    return;
  case TokenKind::Docstring:
    fail(token.range(), diag::MisplacedDocstring);
    break;
  default: {
    const char *begin = token.begin;
    bool isTemplate = atWord("template");
    failItem();
    if (isTemplate) // <typename T>
      skipNames(begin);
  }
  }
  recover();
  skipLinesToItem();
}

/// 'int n', as the name of a type and what would have it
bool Parser::atForeignDeclaration() {
  return at(TokenKind::Identifier) && peek().is(TokenKind::Identifier) &&
         (isScalarTypeName(token.text()) || !typeForForeign(token.text()).empty());
}

/// Says why the token begins no item.
void Parser::failItem() {
  bool isNamed = at(TokenKind::Identifier) && peek().isOneOf(TokenKind::Equal, TokenKind::Colon);
  bool declares = isNamed || token.isOneOf(TokenKind::Val, TokenKind::Var) ||
                  !remedyForWord(token.text(), TokenKind::Val).empty();
  bool isFunction = atForeignDeclaration();
  if (isNamed)
    skippedNames.push_back(token.text());
  if (declares)
    fail(token.range(), diag::ExpectedItem, describe(token), "; a constant is 'const N = 1'");
  else if (isFunction) // int f(int n)
    fail(token.range(), diag::ExpectedItem, describe(token),
         "; a function is 'fn f(x: f32) -> f32:'");
  else if (atWord("gpu") && peek().is(TokenKind::Fn))
    fail(token.range(), diag::ForeignForm, "gpu fn", "write '#[gpu]' on the line before 'fn'");
  else if (!failForeign())
    fail(token.range(), diag::ExpectedItem, describe(token), "");
}

/// Lines that belong to no item are one mistake, however many there are.
void Parser::skipLinesToItem() {
  while (!at(TokenKind::EndOfFile) && !atItem()) {
    if (accept(TokenKind::Dedent)) // of an indented line; what follows may be an item
      continue;
    StringRef rest = restOfLine(token.end).ltrim();
    if (at(TokenKind::Identifier) && (rest.starts_with("=") || rest.starts_with(":")))
      skippedNames.push_back(token.text()); // N = 16
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

/// use helpers.{clamp01, Vec}, use helpers.clamp01
void Parser::parseUse() {
  const char *begin = advance().begin;
  const char *textAfter = previousEnd;
  llvm::SmallVector<Identifier, 4> path, names;
  bool isGood = true;
  auto parsePart = [&](llvm::SmallVectorImpl<Identifier> &list, StringRef what) {
    std::optional<Identifier> name = parseName(what);
    if (name)
      list.push_back(*name);
    return name.has_value();
  };
  do {
    if (!path.empty() && at(TokenKind::LBrace)) {
      Token opening = advance();
      do {
        if (at(TokenKind::RBrace) && !names.empty())
          break;
        isGood = parsePart(names, "a name that is used");
      } while (isGood && accept(TokenKind::Comma));
      isGood = isGood && expectClosing(TokenKind::RBrace, opening, "',' or '}'");
      break;
    }
    isGood = parsePart(path, path.empty() ? "the name of a file" : "a name that is used");
  } while (isGood && accept(TokenKind::Dot));

  if (isGood && names.empty() && path.size() < 2) {
    fail(at(TokenKind::LBrace) ? token.range() : afterPrevious(), diag::ExpectedToken,
         "'.' and what is used of the file: 'use helpers.clamp01'", describe(token));
    isGood = false;
  }
  if (isGood && names.empty())
    names.push_back(path.pop_back_val());
  SourceRange range = from(begin);
  isGood = isGood && endLine();
  if (isGood)
    uses.push_back({range, keep<Identifier>(path), keep<Identifier>(names)});
  else
    skipNames(textAfter);
  recover();
}

/// After a mistake: every name in the text may have been meant.
void Parser::skipNames(const char *begin) {
  StringRef text(begin, std::max(begin, previousEnd) - begin);
  while (true) {
    text = text.drop_until(lex::isIdentifierStart);
    if (text.empty())
      return;
    StringRef name = text.take_while(lex::isIdentifierPart);
    skippedNames.push_back(name);
    text = text.drop_front(name.size());
  }
}

/// const NAME: T = e
void Parser::parseConst() {
  advance();
  bool isTyped = atForeignDeclaration();
  if (isTyped) { // const int N = 16;
    const char *text = token.begin;
    fail(token.range(), diag::ExpectedName, "the constant's name: 'const N: i32 = 1'",
         describe(token));
    skipNames(text);
    return recover();
  }
  std::optional<Identifier> name = parseName("the constant's name");
  const TypeExpr *type = name && accept(TokenKind::Colon) ? parseDeclaredType() : nullptr;
  const Expr *value = name ? parseInitialiser(name->range, type != nullptr) : nullptr;
  bool isGood = name && !isPanicking && !llvm::isa<ErrorExpr>(value) && endLine();
  if (isGood)
    constants.push_back(new (file.arena.Allocate<ConstItem>()) ConstItem{*name, type, value});
  else if (name)
    skippedNames.push_back(name->name);
  accept(TokenKind::Newline);
  recover();
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
    if (peek().is(TokenKind::Identifier)) // fn fn f(): what was meant
      skippedNames.push_back(ahead.text());
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs and enums. A struct or an enum with an error is kept and marked as broken, so that its
// name is declared.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseBlocks.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

static bool endMember(Parser &parser);
static bool parseEnumMember(Parser &parser, llvm::SmallVectorImpl<EnumMember> &members);
static bool parseField(Parser &parser, llvm::SmallVectorImpl<Field> &fields);
static bool parseMembers(Parser &parser, StringRef what, SourceRange header, StringRef &doc,
                         llvm::function_ref<bool()> parseMember);
static bool parseStructMember(Parser &parser, llvm::SmallVectorImpl<Field> &fields,
                              llvm::SmallVectorImpl<const FunctionItem *> &methods);

/// struct Name: or struct Name[T: Num]:, then fields and methods.
void parseStruct(Parser &parser) {
  const char *begin = parser.advance().begin;
  std::optional<Identifier> name = parseName(parser, "the struct's name");
  auto *record = new (parser.file.arena.Allocate<StructItem>()) StructItem;
  const bool hasHeader =
      name && parseGenerics(parser, "':'; the parameters of a generic struct are written 'Name[T]'",
                            record->generics);
  llvm::SmallVector<Field, 8> fields;
  llvm::SmallVector<const FunctionItem *, 4> methods;
  bool isGood = parseMembers(parser, "the struct's name", parser.from(begin), record->doc,
                             [&] { return parseStructMember(parser, fields, methods); });
  if (!name)
    return;
  if (isGood && fields.empty() && StringRef(begin, 6) == "struct") // 'class' is reported already
    parser.complain(name->range, diag::EmptyRecord, "a struct", "field: 'x: f32'");
  record->name = *name;
  record->isBroken = !hasHeader || !isGood || fields.empty();
  record->fields = parser.keep<Field>(fields);
  record->methods = parser.keep<const FunctionItem *>(methods);
  parser.items.structs.push_back(record);
}

/// enum Name:, then Member or Member = value.
void parseEnum(Parser &parser) {
  const char *begin = parser.advance().begin;
  std::optional<Identifier> name = parseName(parser, "the enum's name");
  if (name && parser.at(TokenKind::LBracket))
    parser.fail(parser.token.range(), diag::ForeignForm, (name->name + "[T]").str(),
                "an enum has no parameters; only functions and structs have them");
  auto *record = new (parser.file.arena.Allocate<EnumItem>()) EnumItem;
  llvm::SmallVector<EnumMember, 8> members;
  bool isGood = parseMembers(parser, "the enum's name", parser.from(begin), record->doc,
                             [&] { return parseEnumMember(parser, members); });
  if (!name)
    return;
  if (isGood && members.empty())
    parser.complain(name->range, diag::EmptyRecord, "an enum", "member: 'Low'");
  record->name = *name;
  record->isBroken = !isGood || members.empty();
  record->members = parser.keep<EnumMember>(members);
  parser.items.enums.push_back(record);
}

/// Parses the lines of a struct or an enum. parseMember parses one line and returns whether it is a
/// member. Returns whether all lines are members.
static bool parseMembers(Parser &parser, StringRef what, SourceRange header, StringRef &doc,
                         llvm::function_ref<bool()> parseMember) {
  bool isGood = !parser.isPanicking && parser.at(TokenKind::Colon);
  auto parseLine = [&] { isGood &= parseMember(); };
  switch (openBlock(parser, what, header, "")) {
  case Opening::OnLine:
    parseLine();
    break;
  case Opening::Indented:
    parseIndented(parser, &doc, parseLine);
    break;
  case Opening::Missing:
    return false;
  }
  return isGood;
}

static bool parseStructMember(Parser &parser, llvm::SmallVectorImpl<Field> &fields,
                              llvm::SmallVectorImpl<const FunctionItem *> &methods) {
  FunctionAttributes attributes;
  while (parser.at(TokenKind::HashLBracket) || acceptBareAttribute(parser))
    parseAttribute(parser, attributes);
  if (parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::Identifier))
    acceptForeignWord(parser, TokenKind::Fn);
  if (parser.at(TokenKind::Fn)) {
    if (attributes.isGpu)
      parser.complain(attributes.range, diag::MisplacedAttribute, "'gpu'",
                      "a function, not before a method");
    attributes.isGpu = false;
    if (FunctionItem *method = parseFunction(parser, attributes, true))
      methods.push_back(method);
    else
      return false;
    return true;
  }
  if (attributes.range.isValid() && !attributes.isBroken)
    parser.complain(attributes.range, diag::MisplacedAttribute, "an attribute", "a function");
  bool isGood = parseField(parser, fields) && endMember(parser);
  parser.recover();
  return isGood;
}

/// name: T, name: T = e
static bool parseField(Parser &parser, llvm::SmallVectorImpl<Field> &fields) {
  if (parser.accept(TokenKind::Pass))
    return true;
  const bool isVariable = parser.token.isOneOf(TokenKind::Val, TokenKind::Var) ||
                          !hintForWord(parser.token.text(), TokenKind::Val).empty(); // let
  if (isVariable && parser.peek().is(TokenKind::Identifier)) {
    parser.complain(parser.token.range(), diag::MisplacedMember, parser.token.text(),
                    "a field is written 'name: type'");
    parser.advance();
  }
  bool isType =
      isScalarTypeName(parser.token.text()) || !typeForForeign(parser.token.text()).empty();
  if (isType && parser.peek().isOneOf(TokenKind::Identifier, TokenKind::Star)) { // float x
    parser.fail(parser.token.range(), diag::MisplacedMember, parser.token.text(),
                "a field is written 'name: type'");
    return false;
  }
  if (parser.token.isOneOf(TokenKind::Struct, TokenKind::Enum, TokenKind::Const, TokenKind::Use)) {
    parser.fail(parser.token.range(), diag::MisplacedItem, parser.token.text(), "a struct", "");
    return false;
  }
  std::optional<Identifier> name = parseName(parser, "a field's name, or 'fn'");
  if (name && parser.at(TokenKind::Equal)) { // x = 1.0
    parser.fail(parser.token.range(), diag::MisplacedMember, "=",
                "a field is written 'name: type', or 'name: type = value' with a default");
    return false;
  }
  if (!name || !parser.expect(TokenKind::Colon, "':' and the field's type, as in 'x: f32'"))
    return false;
  const TypeExpr *type = parseDeclaredType(parser);
  const Expr *byDefault = parser.accept(TokenKind::Equal) ? parseExpression(parser) : nullptr;
  fields.push_back({*name, type, byDefault});
  return !parser.isPanicking;
}

static bool parseEnumMember(Parser &parser, llvm::SmallVectorImpl<EnumMember> &members) {
  bool isGood = parser.accept(TokenKind::Pass);
  if (!isGood && parser.at(TokenKind::Case)) {
    parser.complain(parser.token.range(), diag::MisplacedMember, "case",
                    "a member is written 'Name' or 'Name = 1'");
    parser.advance();
  }
  if (!isGood && parser.token.isOneOf(TokenKind::Struct, TokenKind::Enum, TokenKind::Const,
                                      TokenKind::Use, TokenKind::Fn)) {
    parser.fail(parser.token.range(), diag::MisplacedItem, parser.token.text(), "an enum", "");
  } else if (!isGood) {
    if (std::optional<Identifier> name = parseName(parser, "a member's name")) {
      const Expr *value = parser.accept(TokenKind::Equal) ? parseExpression(parser) : nullptr;
      members.push_back({*name, value});
      isGood = !parser.isPanicking;
    }
  }
  isGood = isGood && endMember(parser);
  parser.recover();
  return isGood;
}

/// Parses the end of the line after a member. Reports a comma there, which other languages require.
static bool endMember(Parser &parser) {
  bool isComma = parser.at(TokenKind::Comma) &&
                 parser.peek().isOneOf(TokenKind::Newline, TokenKind::EndOfFile);
  if (isComma) {
    parser.complain(parser.token.range(), diag::MisplacedMember, ",",
                    "write each member on its own line");
    parser.advance();
  }
  return parser.endLine();
}

} // namespace spl::syntax

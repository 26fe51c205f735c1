// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs and enums. One with a mistake is kept, marked as broken, so that its name is known.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

std::optional<Identifier> Parser::parseRecordName(StringRef what) {
  std::optional<Identifier> name = parseName(what);
  if (name && at(TokenKind::LBracket))
    fail(token.range(), diag::ForeignForm, (name->name + "[T]").str(),
         "only functions are generic, so write one for each type");
  return name;
}

/// struct Name:, then fields and methods.
void Parser::parseStruct() {
  const char *begin = advance().begin;
  std::optional<Identifier> name = parseRecordName("the struct's name");
  auto *record = new (file.arena.Allocate<StructItem>()) StructItem;
  llvm::SmallVector<Field, 8> fields;
  llvm::SmallVector<const FunctionItem *, 4> methods;
  bool isGood = parseMembers("the struct's name", from(begin), record->doc,
                             [&] { return parseStructMember(fields, methods); });
  if (!name)
    return;
  if (isGood && fields.empty() && StringRef(begin, 6) == "struct") // no Python class
    complain(name->range, diag::EmptyRecord, "a struct", "field: 'x: f32'");
  record->name = *name;
  record->isBroken = !isGood || fields.empty();
  record->fields = keep<Field>(fields);
  record->methods = keep<const FunctionItem *>(methods);
  structs.push_back(record);
}

/// enum Name:, then Member or Member = value.
void Parser::parseEnum() {
  const char *begin = advance().begin;
  std::optional<Identifier> name = parseRecordName("the enum's name");
  auto *record = new (file.arena.Allocate<EnumItem>()) EnumItem;
  llvm::SmallVector<EnumMember, 8> members;
  bool isGood = parseMembers("the enum's name", from(begin), record->doc,
                             [&] { return parseEnumMember(members); });
  if (!name)
    return;
  if (isGood && members.empty())
    complain(name->range, diag::EmptyRecord, "an enum", "member: 'Low'");
  record->name = *name;
  record->isBroken = !isGood || members.empty();
  record->members = keep<EnumMember>(members);
  enums.push_back(record);
}

bool Parser::parseMembers(StringRef what, SourceRange header, StringRef &doc,
                          llvm::function_ref<bool()> parseMember) {
  bool isGood = !isPanicking && at(TokenKind::Colon);
  auto parseLine = [&] { isGood &= parseMember(); };
  switch (openBlock(what, header, "")) {
  case Opening::OnLine:
    parseLine();
    break;
  case Opening::Indented:
    parseIndented(&doc, parseLine);
    break;
  case Opening::Missing:
    return false;
  }
  return isGood;
}

bool Parser::parseStructMember(llvm::SmallVectorImpl<Field> &fields,
                               llvm::SmallVectorImpl<const FunctionItem *> &methods) {
  FunctionAttributes attributes;
  while (at(TokenKind::HashLBracket) || acceptBareAttribute())
    parseAttribute(attributes);
  if (at(TokenKind::Identifier) && peek().is(TokenKind::Identifier))
    acceptForeignWord(TokenKind::Fn);
  if (at(TokenKind::Fn)) {
    if (attributes.isGpu)
      complain(attributes.range, diag::MisplacedAttribute, "'gpu'",
               "a function, not before a method");
    attributes.isGpu = false;
    if (FunctionItem *method = parseFunction(attributes, true))
      methods.push_back(method);
    else
      return false;
    return true;
  }
  if (attributes.range.isValid() && !attributes.isBroken)
    complain(attributes.range, diag::MisplacedAttribute, "an attribute", "a function");
  bool isGood = parseField(fields) && endMember();
  recover();
  return isGood;
}

/// name: T, name: T = e
bool Parser::parseField(llvm::SmallVectorImpl<Field> &fields) {
  if (accept(TokenKind::Pass))
    return true;
  if (token.isOneOf(TokenKind::Val, TokenKind::Var) && peek().is(TokenKind::Identifier)) {
    complain(token.range(), diag::MisplacedMember, token.text(), "a field is 'name: type'");
    advance();
  }
  bool isType = isScalarTypeName(token.text()) || !typeForForeign(token.text()).empty();
  if (isType && peek().isOneOf(TokenKind::Identifier, TokenKind::Star)) { // float x
    fail(token.range(), diag::MisplacedMember, token.text(), "a field is 'name: type'");
    return false;
  }
  if (token.isOneOf(TokenKind::Struct, TokenKind::Enum, TokenKind::Const, TokenKind::Use)) {
    fail(token.range(), diag::MisplacedItem, token.text(), "a struct", "");
    return false;
  }
  std::optional<Identifier> name = parseName("a field's name, or 'fn'");
  if (!name || !expect(TokenKind::Colon, "':' and the field's type"))
    return false;
  const TypeExpr *type = parseType();
  const Expr *byDefault = accept(TokenKind::Equal) ? parseExpression() : nullptr;
  fields.push_back({*name, type, byDefault});
  return !isPanicking;
}

bool Parser::parseEnumMember(llvm::SmallVectorImpl<EnumMember> &members) {
  bool isGood = accept(TokenKind::Pass);
  if (!isGood && at(TokenKind::Case)) {
    complain(token.range(), diag::MisplacedMember, "case", "a member is 'Name' or 'Name = 1'");
    advance();
  }
  if (!isGood && token.isOneOf(TokenKind::Struct, TokenKind::Enum, TokenKind::Const, TokenKind::Use,
                               TokenKind::Fn)) {
    fail(token.range(), diag::MisplacedItem, token.text(), "an enum", "");
  } else if (!isGood) {
    if (std::optional<Identifier> name = parseName("a member's name")) {
      const Expr *value = accept(TokenKind::Equal) ? parseExpression() : nullptr;
      members.push_back({*name, value});
      isGood = !isPanicking;
    }
  }
  isGood = isGood && endMember();
  recover();
  return isGood;
}

/// The line's end after a member; a comma there is a habit.
bool Parser::endMember() {
  bool isComma = at(TokenKind::Comma) && peek().isOneOf(TokenKind::Newline, TokenKind::EndOfFile);
  if (isComma) {
    complain(token.range(), diag::MisplacedMember, ",", "each member ends with its line");
    advance();
  }
  return endLine();
}

} // namespace spl::syntax

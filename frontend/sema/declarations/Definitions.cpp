// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares constants, structs and enums. They may refer to each other in any order, so each is
// checked at its first use. A use of a definition while it is being checked is a cycle.
#include "frontend/sema/declarations/Definitions.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/Functions.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/declarations/GenericStructs.h"
#include "frontend/sema/expressions/Expressions.h"

namespace spl::sema {

bool Session::claim(const syntax::Identifier &name) {
  if (rejectReserved(name))
    return false;
  auto [first, isNew] = names->items.try_emplace(name.name, name.range);
  if (!isNew)
    diagnostics.emit(name.range, diag::DuplicateName, shown(name.name), "in this file")
        .note(first->second, diag::DeclaredHere, shown(name.name));
  return isNew;
}

/// What to do with slices that cannot be in a constant.
static constexpr StringRef viewArray = "declare an array, and slice it where it is used";

const Expr *Session::checkConstant(const syntax::Expr &expr, Type expected) {
  FunctionEntry noFunction{nullptr, nullptr, names};
  ExpressionContext context(*this, noFunction);
  const Expr *value = checkAlone(context, expr, expected);
  if (value && (value->type.isSlice() || value->type.holdsSlices())) {
    requireHeld(value->type, value->range, "a constant", viewArray);
    return nullptr;
  }
  return value ? constantOf(*value) : nullptr;
}

//===-- Definitions in each other --===//

static constexpr unsigned ofItsOwn = 3; // the levels of recursion for the definition itself

NeededInside::NeededInside(Session &session, const syntax::TypeExpr *type,
                           const syntax::Expr *value)
    : session(session), outer(session.definitionDepth) {
  session.definitionDepth +=
      ofItsOwn + std::max(type ? type->height : 0, value ? value->height : 0);
}

NeededInside::~NeededInside() { session.definitionDepth = outer; }

bool NeededInside::isTooDeep(const syntax::Identifier &name) {
  constexpr unsigned limit = syntax::maxExpressionHeight;
  if (outer == 0 || session.definitionDepth <= limit)
    return false;
  if (!std::exchange(session.hasTooDeepDefinition, true))
    session.diagnostics.emit(
        name.range, diag::NestingTooDeep,
        "definitions that depend on each other (deep expressions count more) are",
        limit / (ofItsOwn + 1));
  return true;
}

//===-- Constants --===//

static void declareConstant(Session &session, const syntax::ConstItem &item) {
  auto *constant =
      new (session.arena) Constant{item.name.name, session.types.error(), item.name.range, nullptr};
  session.constants.push_back(
      std::make_unique<ConstEntry>(ConstEntry{&item, session.names, constant}));
  if (session.claim(item.name))
    session.names->constants[item.name.name] = session.constants.back().get();
}

const Constant *Session::complete(ConstEntry &entry) {
  using State = ConstEntry::State;
  const syntax::ConstItem &item = *entry.item;
  if (entry.state == State::Open)
    diagnostics.emit(item.name.range, diag::CyclicDefinition, shown(item.name.name));
  if (entry.state == State::New) {
    InDeclaration here(*this, entry.names, nullptr);
    entry.state = State::Open;
    NeededInside inside(*this, item.type, item.value);
    if (inside.isTooDeep(item.name)) {
      entry.state = State::Done;
      return nullptr;
    }
    Type declared = resolve(item.type);
    if (declared && (declared.isSlice() || declared.holdsSlices()))
      requireHeld(declared, item.type->range, "a constant", viewArray);
    else if (!declared || !declared.isError())
      entry.constant->value = checkConstant(*item.value, declared);
    if (entry.constant->value)
      entry.constant->type = entry.constant->value->type;
    entry.state = State::Done;
  }
  return entry.constant->value ? entry.constant : nullptr;
}

//===-- Structs --===//

StructEntry &Session::add(StringRef name, StructEntry entry) {
  entry.info = new (program.structStorage.Allocate()) StructInfo{name, entry.item->name.range};
  structs.push_back(std::make_unique<StructEntry>(std::move(entry)));
  structEntries[structs.back()->info] = structs.back().get();
  return *structs.back();
}

static void declareStruct(Session &session, const syntax::StructItem &item) {
  if (item.isBroken) {
    session.names->skipped.insert(item.name.name);
    return;
  }
  checkGenerics(session, item.generics, {});
  checkMethodNames(session, item);
  for (const syntax::FunctionItem *method : item.methods)
    checkGenerics(session, method->generics, item.generics);
  if (!item.generics.empty())
    return declareGenericStruct(session, item);
  StructEntry &entry = session.add(item.name.name, {.item = &item, .names = session.names});
  if (session.claim(item.name))
    session.names->types[item.name.name] = session.types.structure(*entry.info);
  for (const syntax::FunctionItem *method : item.methods)
    addMethod(session, entry, *method);
}

bool Session::completeInside(Type type) {
  while (type.isArray())
    type = type.element();
  return !type.isStruct() || complete(*structEntries.lookup(&type.structInfo()));
}

bool Session::complete(StructEntry &entry) {
  using State = StructEntry::State;
  const syntax::StructItem &item = *entry.item;
  if (entry.state == State::Open) {
    diagnostics.emit(item.name.range, diag::CyclicDefinition, shown(entry.info->name));
    return false;
  }
  if (entry.state == State::Done)
    return entry.info->fields.size() == item.fields.size();
  InDeclaration here(*this, entry.names, entry.instance);
  entry.state = State::Open;
  llvm::SmallVector<StructInfo::Field, 4> fields;
  llvm::DenseMap<StringRef, SourceRange> seen;
  bool isWrong = false;
  for (const syntax::Field &field : item.fields) {
    auto [first, isNew] = seen.try_emplace(field.name.name, field.name.range);
    if (!isNew)
      diagnostics
          .emit(field.name.range, diag::DuplicateName, shown(field.name.name), "among the fields")
          .note(first->second, diag::DeclaredHere, shown(field.name.name));
    NeededInside inside(*this, field.type, field.byDefault);
    if (inside.isTooDeep(item.name)) {
      entry.state = State::Done;
      return false;
    }
    Type type = resolve(*field.type);
    const Expr *value = nullptr;
    isWrong |= !isNew || type.isError() || !requirePart(type, field.type->range, "a struct") ||
               !completeInside(type);
    if (field.byDefault && !isWrong)
      isWrong = !(value = checkConstant(*field.byDefault, type));
    fields.push_back({field.name.name, type, field.name.range});
    entry.defaults.push_back(value);
  }
  entry.state = State::Done;
  if (isWrong)
    return false;
  entry.info->fill(std::move(fields));
  const uint64_t size = entry.info->layout.size;
  if (entry.info->depth > maxTypeDepth)
    diagnostics.emit(item.name.range, diag::NestingTooDeep, "a type", maxTypeDepth);
  else if (size > maxTypeBytes)
    diagnostics.emit(item.name.range, diag::StructSize, maxTypeBytes, shown(entry.info->name),
                     size);
  else if (!entry.info->holdsSlices ||
           requireLeaves(entry.info->leafCount, item.name.range,
                         ("struct '" + shown(entry.info->name) + "'").str()))
    return true;
  entry.info->fill({});
  return false;
}

//===-- Enums --===//

static void declareEnum(Session &session, const syntax::EnumItem &item) {
  if (item.isBroken) {
    session.names->skipped.insert(item.name.name);
    return;
  }
  auto *info =
      new (session.program.enumStorage.Allocate()) EnumInfo{item.name.name, item.name.range};
  if (session.claim(item.name))
    session.names->types[item.name.name] = session.types.enumeration(*info);
}

static void completeEnum(Session &session, const syntax::EnumItem &item, EnumInfo &info) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  int64_t next = 0;
  for (const syntax::EnumMember &member : item.members) {
    StringRef name = member.name.name;
    auto [first, isNew] = seen.try_emplace(name, member.name.range);
    if (!isNew)
      session.diagnostics.emit(member.name.range, diag::DuplicateName, shown(name), "in this enum")
          .note(first->second, diag::DeclaredHere, shown(name));
    if (member.value) {
      Type i32 = session.types.get(TypeKind::I32);
      if (const Expr *value = session.checkConstant(*member.value, i32))
        next = llvm::cast<ConstantExpr>(value)->intValue.getSExtValue();
    }
    if (next > INT32_MAX) {
      session.diagnostics.emit(member.name.range, diag::EnumValue, shown(name));
      next = 0;
    }
    info.add({name, int32_t(next), member.name.range});
    ++next;
  }
}

static void completeEnums(Session &session, const syntax::File &file) {
  for (const syntax::EnumItem *item : file.enums)
    if (Type type = session.names->types.lookup(item->name.name);
        type && type.isEnum() && type.enumInfo().range.begin == item->name.range.begin)
      completeEnum(session, *item, const_cast<EnumInfo &>(type.enumInfo()));
}

//===-- All of them --===//

void declareTypes(Session &session, const syntax::File &file) {
  for (const syntax::StructItem *item : file.structs)
    declareStruct(session, *item);
  for (const syntax::EnumItem *item : file.enums)
    declareEnum(session, *item);
  for (const syntax::ConstItem *item : file.constants)
    declareConstant(session, *item);
}

void completeTypes(Session &session) {
  for (FileNames &names : session.files) {
    InDeclaration here(session, &names, nullptr);
    completeEnums(session, *names.file);
  }
  for (size_t index = 0; index != session.structs.size(); ++index) // instances may be added
    session.complete(*session.structs[index]);
  for (const auto &entry : session.constants)
    session.complete(*entry);
}

} // namespace spl::sema

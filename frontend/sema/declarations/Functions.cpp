// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares functions and methods: their names, signatures and generic parameters.
#include "frontend/sema/declarations/Functions.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/Attributes.h"
#include "frontend/sema/declarations/Definitions.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/declarations/Imports.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/syntax/TypeNames.h"
#include "spl/abi/Names.h"

namespace spl::sema {

static Type selfType(Session &session, const FunctionEntry &entry) {
  using syntax::SelfKind;
  if (entry.item->self == SelfKind::Value)
    return entry.self;
  if (!session.requireHeld(entry.self, entry.item->name.range, "a reference such as '&self'",
                           "pass it by value"))
    return session.types.error();
  return session.types.slice(entry.self, entry.item->self == SelfKind::MutReference, 1);
}

// Returns the type of a parameter, or the error type if it reports an error.
static Type parameterType(Session &session, const FunctionEntry &entry,
                          const syntax::Parameter &parameter) {
  const bool isKernel = entry.item->isKernel();
  const bool isReference = parameter.type->kind == syntax::TypeExpr::Kind::Reference;
  Type type =
      isReference ? session.resolveReference(*parameter.type) : session.resolve(*parameter.type);
  const bool isArray = type.isArray() && !type.holdsSlices();
  if (isKernel && (isReference || isArray || type.isTuple())) {
    session.diagnostics.emit(parameter.type->range, diag::KernelParameter,
                             isReference ? "a reference"
                             : isArray   ? "an array"
                                         : "a tuple");
    return session.types.error();
  }
  if (parameter.byDefault && (isKernel || isReference))
    session.diagnostics.emit(parameter.byDefault->range,
                             isKernel ? diag::KernelDefault : diag::ReferenceDefault,
                             shown(parameter.name.name));
  return isReference && parameter.byDefault ? session.types.error() : type;
}

// Declares the parameters. A parameter whose name is taken stays in the signature, so that the
// number of arguments is checked correctly.
static ArrayRef<const Local *> declareParameters(Session &session, const FunctionEntry &entry,
                                                 Scopes &scopes) {
  const syntax::FunctionItem &item = *entry.item;
  llvm::DenseMap<StringRef, SourceRange> seen;
  llvm::SmallVector<const Local *, 8> locals;
  if (entry.self)
    locals.push_back(new (session.arena)
                         Local{"self", selfType(session, entry), item.name.range,
                               /*isMutable=*/false, item.self != syntax::SelfKind::Value});
  for (const syntax::Parameter &parameter : item.parameters) {
    const syntax::Identifier &name = parameter.name;
    session.rejectReserved(name);
    Type type = parameterType(session, entry, parameter);
    auto [first, isNew] = seen.try_emplace(name.name, name.range);
    if (!isNew) {
      type = session.types.error(); // so that its uses are not reported
      session.diagnostics
          .emit(name.range, diag::DuplicateName, shown(name.name), "among the parameters")
          .note(first->second, diag::DeclaredHere, shown(name.name));
    }
    locals.push_back(new (session.arena)
                         Local{name.name, type, name.range, /*isMutable=*/false,
                               parameter.type->kind == syntax::TypeExpr::Kind::Reference});
    scopes.declare({locals.back(), SymbolKind::Parameter});
  }
  return ArrayRef(locals).copy(session.arena);
}

/// A slice that the text has as an element of the tuple, or null.
static const syntax::TypeExpr *sliceIn(const syntax::TypeExpr &type) {
  if (type.kind != syntax::TypeExpr::Kind::Tuple)
    return nullptr;
  for (const syntax::TypeExpr *element : type.elements) {
    if (element->kind == syntax::TypeExpr::Kind::Slice)
      return element;
    if (const syntax::TypeExpr *inside = sliceIn(*element))
      return inside;
  }
  return nullptr;
}

static Type resultType(Session &session, const syntax::FunctionItem &item) {
  if (!item.result)
    return session.types.unit();
  if (const syntax::TypeExpr *slice = sliceIn(*item.result)) {
    session.diagnostics.emit(slice->range, diag::SliceAmongResults);
    return session.types.error();
  }
  Type type = session.resolve(*item.result);
  if (type.holdsSlices() && !item.isKernel()) {
    session.requireHeld(type, item.result->range, "the result of a function",
                        "return one of the slices, or numbers that say where to slice");
    return session.types.error();
  }
  if (!item.isKernel() || type.isError())
    return type;
  session.diagnostics.emit(item.result->range, diag::KernelResult);
  return session.types.error();
}

/// The hint for '[N: i64]', where a type is written as a bound.
static std::string constantHint(const syntax::GenericParameter &generic) {
  StringRef bound = generic.bound->name;
  if (!syntax::isScalarTypeName(bound) || bound.contains('f'))
    return {};
  return writeHint(("const " + shown(generic.name.name) + ": " + bound).str());
}

void checkGenerics(Session &session, ArrayRef<syntax::GenericParameter> generics,
                   ArrayRef<syntax::GenericParameter> outer) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  for (const syntax::GenericParameter &generic : outer)
    seen.try_emplace(generic.name.name, generic.name.range);
  for (const syntax::GenericParameter &generic : generics) {
    const syntax::Identifier &name = generic.name;
    auto [first, isNew] = seen.try_emplace(name.name, name.range);
    if (!session.rejectReserved(name) && !isNew)
      session.diagnostics
          .emit(name.range, diag::DuplicateName, shown(name.name), "among the parameters")
          .note(first->second, diag::DeclaredHere, shown(name.name));
    if (generic.bound && !syntax::isBoundName(generic.bound->name))
      session.diagnostics.emit(generic.bound->range, diag::UnknownBound, shown(generic.bound->name),
                               syntax::boundNames("and"), constantHint(generic));
    if (!generic.constType)
      continue;
    Type type = session.resolve(*generic.constType);
    if (!type.isInt() && !type.isBool() && !type.isError())
      session.diagnostics.emit(generic.constType->range, diag::ConstParameterType, type.str());
  }
}

// Adds a function or a method without its signature. Returns its index.
static unsigned addFunction(Session &session, const syntax::FunctionItem &item, StringRef name,
                            Type self) {
  auto *function = new (session.program.functionStorage.Allocate())
      Function{name, name, item.isKernel(), item.name.range, {}, session.types.error(), {}, {}};
  const unsigned index = session.add({&item, function, session.names});
  session.functions.back().self = self;
  return index;
}

unsigned Session::add(FunctionEntry entry) {
  functions.push_back(std::move(entry));
  functionEntries[functions.back().function] = &functions.back();
  return functions.size() - 1;
}

void checkMethodNames(Session &session, const syntax::StructItem &item) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  for (const syntax::Field &field : item.fields)
    seen.try_emplace(field.name.name, field.name.range);
  for (const syntax::FunctionItem *method : item.methods) {
    const syntax::Identifier &name = method->name;
    auto [first, isNew] = seen.try_emplace(name.name, name.range);
    if (!isNew)
      session.diagnostics.emit(name.range, diag::DuplicateName, shown(name.name), "in this struct")
          .note(first->second, diag::DeclaredHere, shown(name.name));
  }
}

const syntax::FunctionItem *methodNamed(const syntax::StructItem &item, StringRef name) {
  for (const syntax::Field &field : item.fields)
    if (field.name.name == name)
      return nullptr;
  for (const syntax::FunctionItem *method : item.methods)
    if (method->name.name == name)
      return method;
  return nullptr;
}

unsigned addMethod(Session &session, StructEntry &entry, const syntax::FunctionItem &method) {
  const Type type = session.types.structure(*entry.info);
  const std::string writtenName = (entry.info->name + "." + method.name.name).str();
  const std::string symbol = abi::entryName(entry.info->name.str()) + "." + method.name.name.str();
  const unsigned index = addFunction(session, method, StringRef(symbol).copy(session.arena), type);
  FunctionEntry &added = session.functions[index];
  added.names = entry.names;
  added.function->writtenName = StringRef(writtenName).copy(session.arena);
  added.instance = entry.instance;
  if (methodNamed(*entry.item, method.name.name) == &method)
    entry.methods[method.name.name] = index;
  return index;
}

static void declareFunction(Session &session, const syntax::FunctionItem &item) {
  const syntax::Identifier &name = item.name;
  if (name.name == "main") // reserved for whole programs
    session.diagnostics.emit(name.range, diag::NotYetSupported, "'fn main'");
  checkGenerics(session, item.generics, {});
  unsigned index = addFunction(session, item, name.name, Type());
  if (session.claim(name))
    session.names->functions.try_emplace(name.name, index);
}

bool ensureSignature(Session &session, FunctionEntry &entry) {
  using State = FunctionEntry::State;
  if (entry.signature == State::Open)
    session.diagnostics.emit(entry.function->range, diag::CyclicDefinition,
                             shown(entry.writtenName()));
  if (entry.signature != State::New)
    return entry.signature == State::Done;
  entry.signature = State::Open;
  InDeclaration here(session, entry);
  Scopes scopes;
  scopes.enter();
  session.locals = &scopes;
  entry.function->parameters = declareParameters(session, entry, scopes);
  entry.function->result = resultType(session, *entry.item);
  checkAttributes(session, entry);
  entry.signature = State::Done;
  return true;
}

void declareFunctions(Session &session, const syntax::FileSet &files) {
  for (const std::unique_ptr<syntax::File> &file : files.files()) {
    session.names = &session.files.emplace_back(*file);
    session.names->skipped.insert_range(file->skippedNames);
    declareTypes(session, *file);
    for (const syntax::FunctionItem *item : file->functions)
      declareFunction(session, *item);
  }
  resolveImports(session, files);
  completeTypes(session);
  session.names = &session.files.front();
  for (size_t index = 0; index != session.functions.size(); ++index) // instances may be added
    if (FunctionEntry &entry = session.functions[index]; !entry.isGeneric())
      ensureSignature(session, entry);
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of generic functions and structs. An instance is checked as a declaration of its own.
// In it, the names of the generic parameters stand for its arguments.
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/Functions.h"
#include "frontend/sema/declarations/GenericStructs.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::sema {

/// The maximum length of a chain of instances that need each other, and the maximum number of
/// instances. If a program needs more, its instances are assumed to be infinitely many.
static constexpr unsigned maxInstanceDepth = 64, maxInstances = 4096;
/// The maximum length of an instance's name, which doubles in each step from P[T] to P[P[T], P[T]].
static constexpr size_t maxInstanceName = 4096;

const GenericArgument *Session::bound(StringRef name) const {
  for (const Instance *at = current; at; at = at->outer)
    for (auto [generic, argument] : llvm::zip_equal(at->generics, at->arguments))
      if (generic.name.name == name)
        return &argument;
  return nullptr;
}

//===-- Context of errors --===//

// Returns the notes of an error in an instance: the instance, then the chain of those that need it.
// The last one may be an instance that the options name.
static std::vector<diag::Message> contextOf(const Instance *instance) {
  constexpr size_t maxNotes = 5;
  std::vector<diag::Message> notes;
  for (const Instance *at = instance; at && notes.size() < maxNotes; at = at->neededBy)
    notes.push_back(at->neededAt.isValid()
                        ? diag::Engine::note(at->neededAt, diag::InInstance, shown(at->name))
                        : diag::Engine::note(at->declared, diag::AskedInstance, shown(at->name)));
  return notes;
}

InDeclaration::InDeclaration(Session &session, FileNames *names, const Instance *instance)
    : session(session), outerNames(std::exchange(session.names, names)),
      outer(std::exchange(session.current, instance)),
      outerLocals(std::exchange(session.locals, nullptr)) {
  session.diagnostics.setContext(contextOf(instance));
}

InDeclaration::~InDeclaration() {
  session.names = outerNames;
  session.current = outer;
  session.locals = outerLocals;
  session.diagnostics.setContext(contextOf(outer));
}

//===-- Names --===//

static std::string valueText(const ConstantExpr &value) {
  if (value.type.isBool())
    return value.intValue.isZero() ? "false" : "true";
  llvm::SmallString<24> text;
  value.intValue.toString(text, 10, !value.type.isUnsignedInt());
  return text.str().str();
}

static std::string shownText(StringRef name, ArrayRef<GenericArgument> arguments) {
  std::string text = name.str() + "[";
  llvm::ListSeparator separator;
  for (const GenericArgument &argument : arguments)
    text += StringRef(separator).str() +
            (argument.value ? valueText(*argument.value) : argument.type.str());
  return text + "]";
}

//===-- Instances --===//

bool fitsBound(StringRef bound, Type type) {
  type = type.lane();
#define BOUND(Name, Takes)                                                                         \
  if (bound == Name)                                                                               \
    return Takes;
#include "frontend/syntax/Bounds.def"
  return true; // the error is reported at the declaration
}

static bool fitsBounds(Session &session, const Instance &instance, StringRef name,
                       SourceRange range) {
  for (auto [generic, argument] : llvm::zip_equal(instance.generics, instance.arguments)) {
    if (!generic.bound || fitsBound(generic.bound->name, argument.type))
      continue;
    session.diagnostics
        .emit(range, diag::GenericBound, generic.name.name, shown(name), generic.bound->name,
              argument.type.str())
        .note(generic.name.range, diag::DeclaredHere, generic.name.name);
    return false;
  }
  return true;
}

std::optional<std::vector<uint64_t>> keyOf(ArrayRef<GenericArgument> arguments) {
  std::vector<uint64_t> key;
  for (const GenericArgument &argument : arguments) {
    if (argument.type.isError())
      return std::nullopt;
    key.push_back(argument.value ? argument.value->intValue.getZExtValue()
                                 : reinterpret_cast<uintptr_t>(argument.type.identity()));
  }
  return key;
}

const Instance *makeInstance(Session &session, Instance base, SourceRange range) {
  if (!fitsBounds(session, base, base.name, range))
    return nullptr;
  std::string name = shownText(base.name, base.arguments);
  const Instance *by = session.current;
  const unsigned depth = by ? by->depth + 1 : 1;
  const std::string excess =
      depth > maxInstanceDepth ? "an endless sequence of instances"
      : name.size() > maxInstanceName
          ? "instances with names of more than " + std::to_string(maxInstanceName) + " characters"
      : ++session.instanceCount > maxInstances
          ? "more than " + std::to_string(maxInstances) + " instances of generics"
          : "";
  if (!excess.empty()) {
    if (!std::exchange(session.hasTooManyInstances, true))
      session.diagnostics.emit(range, diag::EndlessInstances, shown(base.name), excess,
                               shown(name));
    return nullptr;
  }
  base.name = StringRef(name).copy(session.arena);
  base.arguments = base.arguments.copy(session.arena);
  base.neededBy = by;
  base.neededAt = range;
  base.depth = depth;
  return session.make(base);
}

std::optional<unsigned> Session::instance(unsigned generic, ArrayRef<GenericArgument> arguments,
                                          SourceRange range) {
  const std::optional<std::vector<uint64_t>> key = keyOf(arguments);
  if (!key)
    return std::nullopt;
  if (auto known = instances.find({generic, *key}); known != instances.end())
    return known->second;
  FunctionEntry &from = functions[generic];
  const Instance *made = makeInstance(*this,
                                      {.name = from.writtenName(),
                                       .declared = from.function->range,
                                       .generics = from.item->generics,
                                       .arguments = arguments,
                                       .outer = from.instance},
                                      range);
  if (!made)
    return std::nullopt;
  StringRef symbol = StringRef(abi::entryName(made->name)).copy(arena);
  if (auto other = names->functions.find(symbol); other != names->functions.end()) {
    diagnostics.emit(functions[other->second].function->range, diag::InstanceName, symbol,
                     made->name);
    return std::nullopt;
  }
  // The symbols of kernels are their names: those of c[Pair[f32]] and c[Pair_f32_] are the same.
  for (const FunctionEntry &other : functions)
    if (from.function->isKernel && other.function->isKernel && other.function->name == symbol) {
      diagnostics.emit(from.function->range, diag::InstanceName, symbol, made->name)
          .note(other.function->range, diag::DeclaredHere, shown(other.writtenName()));
      return std::nullopt;
    }
  auto *function = new (program.functionStorage.Allocate()) Function{
      symbol, made->name, from.function->isKernel, from.function->range, {}, program.types.error(),
      {},     {}};
  const unsigned index = add({.item = from.item,
                              .function = function,
                              .names = from.names,
                              .instance = made,
                              .self = from.self});
  instances.try_emplace({generic, *key}, index);
  ensureSignature(*this, functions[index]);
  return index;
}

//===-- Instances by name --===//

std::string exampleOf(StringRef name, ArrayRef<syntax::GenericParameter> generics) {
  std::string text = name.str() + "[";
  llvm::ListSeparator separator;
  for (const syntax::GenericParameter &generic : generics) {
    text += StringRef(separator);
    if (generic.constType)
      text += generic.constType->name == "bool" ? "true" : "16";
    else
      text += generic.bound && generic.bound->name == "Int" ? "i32" : "f32";
  }
  return text + "]";
}

static std::optional<GenericArgument>
argumentNamed(Session &session, const syntax::GenericParameter &generic, StringRef text);

/// Splits "scale[f32, Pair[i32]]" into the name and the arguments. Text that is no such list has
/// one argument more than it has commas, or none.
static std::pair<StringRef, llvm::SmallVector<StringRef, 4>> splitInstance(StringRef text) {
  auto [name, list] = text.trim().split('[');
  llvm::SmallVector<StringRef, 4> parts;
  if (!list.consume_back("]"))
    return {name.trim(), parts};
  unsigned depth = 0;
  size_t begin = 0;
  for (auto [at, c] : llvm::enumerate(list)) {
    depth += (c == '[') - (c == ']');
    if (c != ',' || depth != 0)
      continue;
    parts.push_back(list.slice(begin, at).trim());
    begin = at + 1;
  }
  parts.push_back(list.substr(begin).trim());
  return {name.trim(), parts};
}

/// The type of that name, also an instance of a generic struct. A null type if there is none.
static Type typeOf(Session &session, StringRef text) {
  auto [name, parts] = splitInstance(text);
  GenericStruct *generic = session.names->genericStructs.lookup(name);
  if (!generic || parts.size() != generic->item->generics.size())
    return session.typeNamed(text);
  llvm::SmallVector<GenericArgument, 4> arguments;
  for (auto [parameter, part] : llvm::zip_equal(generic->item->generics, parts)) {
    std::optional<GenericArgument> argument = argumentNamed(session, parameter, part);
    if (!argument)
      return {};
    arguments.push_back(*argument);
  }
  return instanceOf(session, *generic, arguments, {});
}

/// Parses one argument of an instance: a type, an integer or a bool.
static std::optional<GenericArgument>
argumentNamed(Session &session, const syntax::GenericParameter &generic, StringRef text) {
  if (!generic.constType) {
    Type type = typeOf(session, text);
    return type ? std::optional(GenericArgument{type}) : std::nullopt;
  }
  Type type = session.resolve(*generic.constType);
  llvm::APInt value;
  bool isNegative = text.consume_front("-");
  if (text == "true" || text == "false")
    value = llvm::APInt(1, text == "true");
  else if (text.getAsInteger(10, value))
    return std::nullopt;
  unsigned bits = type.isBool() || type.isInt() ? type.bits() : 0;
  if (bits == 0 || type.isBool() != (value.getBitWidth() == 1 && !text.empty() &&
                                     (text == "true" || text == "false")))
    return std::nullopt;
  value = value.zext(std::max(value.getBitWidth(), bits) + 1);
  if (isNegative)
    value.negate();
  if (type.isSignedInt() ? !value.isSignedIntN(bits) : !value.isIntN(bits) || isNegative)
    return std::nullopt;
  return GenericArgument{type, new (session.arena) ConstantExpr{
                                   {type, {}}, false, value.trunc(bits), llvm::APFloat(0.0f)}};
}

void Session::instantiate(StringRef text) {
  auto [name, parts] = splitInstance(text);
  auto found = names->functions.find(name);
  const bool isKnown =
      found != names->functions.end() && functions[found->second].function->isKernel;
  if (!isKnown || !functions[found->second].isGeneric()) {
    diagnostics.emit({}, diag::NoGenericKernel, shown(name), shown(text));
    return;
  }
  ArrayRef<syntax::GenericParameter> generics = functions[found->second].item->generics;
  if (parts.size() != generics.size()) {
    diagnostics.emit({}, diag::InstanceArguments, shown(text), shown(name),
                     counted(generics.size(), "argument"));
    return;
  }
  llvm::SmallVector<GenericArgument, 4> arguments;
  for (auto [generic, part] : llvm::zip_equal(generics, parts)) {
    std::optional<GenericArgument> argument = argumentNamed(*this, generic, part);
    if (!argument) {
      diagnostics.emit({}, diag::InstanceArgument, shown(text), shown(part),
                       generic.constType ? "a constant of the type of the parameter" : "a type",
                       generic.name.name);
      return;
    }
    arguments.push_back(*argument);
  }
  instance(found->second, arguments, {});
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of generic functions. An instance is checked as a function of its own. In it, the names
// of the generic parameters stand for its arguments.
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/Functions.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::sema {

/// The maximum length of a chain of instances that need each other, and the maximum number of
/// instances. If a program needs more, its instances are assumed to be infinitely many.
static constexpr unsigned maxInstanceDepth = 64, maxInstances = 4096;

const GenericArgument *Session::bound(StringRef name) const {
  if (!current || current->arguments.empty())
    return nullptr;
  for (auto [generic, argument] : llvm::zip_equal(current->item->generics, current->arguments))
    if (generic.name.name == name)
      return &argument;
  return nullptr;
}

//===-- Context of errors --===//

// Returns the notes of an error in an instance: the instance, then the chain of its callers. The
// last caller may be an instance that the options name.
static std::vector<diag::Message> contextOf(const FunctionEntry &entry) {
  constexpr size_t maxNotes = 5;
  std::vector<diag::Message> notes;
  for (const FunctionEntry *at = &entry; at && !at->arguments.empty() && notes.size() < maxNotes;
       at = at->neededBy)
    notes.push_back(
        at->neededAt.isValid()
            ? diag::Engine::note(at->neededAt, diag::InInstance, shown(at->shownName))
            : diag::Engine::note(at->function->range, diag::AskedInstance, shown(at->shownName)));
  return notes;
}

InFunction::InFunction(Session &session, const FunctionEntry &entry)
    : session(session), outer(std::exchange(session.current, &entry)),
      outerNames(std::exchange(session.names, entry.names)) {
  session.diagnostics.setContext(contextOf(entry));
}

InFunction::~InFunction() {
  session.current = outer;
  session.names = outerNames;
  session.diagnostics.setContext(outer ? contextOf(*outer) : std::vector<diag::Message>());
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

static bool fitsBounds(Session &session, const FunctionEntry &entry,
                       ArrayRef<GenericArgument> arguments, SourceRange range) {
  for (auto [generic, argument] : llvm::zip_equal(entry.item->generics, arguments)) {
    if (!generic.bound || argument.type.isError() || fitsBound(generic.bound->name, argument.type))
      continue;
    session.diagnostics
        .emit(range, diag::GenericBound, generic.name.name, shown(entry.function->name),
              generic.bound->name, argument.type.str())
        .note(generic.name.range, diag::DeclaredHere, generic.name.name);
    return false;
  }
  return true;
}

std::optional<unsigned> Session::instance(unsigned generic, ArrayRef<GenericArgument> arguments,
                                          SourceRange range) {
  std::vector<uint64_t> key;
  for (const GenericArgument &argument : arguments) {
    if (argument.type.isError())
      return std::nullopt;
    key.push_back(argument.value ? argument.value->intValue.getZExtValue()
                                 : reinterpret_cast<uintptr_t>(argument.type.identity()));
  }
  auto [known, isNew] = instances.try_emplace({generic, key}, unsigned(functions.size()));
  if (!isNew)
    return known->second;
  FunctionEntry &from = functions[generic];
  auto refuse = [&, known = known] {
    instances.erase(known);
    return std::nullopt;
  };
  if (!fitsBounds(*this, from, arguments, range))
    return refuse();
  unsigned depth = current ? current->depth + 1 : 1;
  std::string shownName = shownText(from.function->name, arguments);
  if (depth > maxInstanceDepth || instances.size() > maxInstances) {
    if (!std::exchange(hasTooManyInstances, true))
      diagnostics.emit(range, diag::EndlessInstances, shown(from.function->name),
                       depth > maxInstanceDepth
                           ? "an endless sequence of instances"
                           : "more than " + std::to_string(maxInstances) + " instances of generics",
                       shown(shownName));
    return refuse();
  }

  llvm::BumpPtrAllocator &arena = program.arena;
  StringRef symbol = StringRef(abi::entryName(shownName)).copy(arena);
  if (auto other = names->functions.find(symbol); other != names->functions.end()) {
    diagnostics.emit(functions[other->second].function->range, diag::InstanceName, symbol,
                     StringRef(shownName));
    return refuse();
  }
  auto *function = new (program.functionStorage.Allocate()) Function{
      symbol, from.function->isKernel, from.function->range, {}, program.types.error(), {}, {}};
  const unsigned index = add({.item = from.item,
                              .function = function,
                              .names = from.names,
                              .shownName = StringRef(shownName).copy(arena),
                              .arguments = arguments.copy(arena),
                              .neededBy = current,
                              .neededAt = range,
                              .depth = depth,
                              .self = from.self});
  ensureSignature(*this, functions[index]);
  return index;
}

//===-- Instances by name --===//

// Parses one argument of an instance from the command line: a type, an integer or a bool.
static std::optional<GenericArgument>
argumentNamed(Session &session, const syntax::GenericParameter &generic, StringRef text) {
  if (!generic.constType) {
    Type type = session.typeNamed(text);
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
  auto [name, list] = text.split('[');
  auto found = names->functions.find(name.trim());
  const bool isKnown =
      found != names->functions.end() && functions[found->second].function->isKernel;
  if (!isKnown || !functions[found->second].isGeneric()) {
    diagnostics.emit({}, diag::NoGenericKernel, shown(name), shown(text));
    return;
  }
  ArrayRef<syntax::GenericParameter> generics = functions[found->second].item->generics;
  llvm::SmallVector<StringRef, 4> parts;
  if (list.consume_back("]"))
    list.split(parts, ',');
  if (parts.size() != generics.size()) {
    diagnostics.emit({}, diag::InstanceArguments, shown(text), shown(name),
                     counted(generics.size(), "argument"));
    return;
  }
  llvm::SmallVector<GenericArgument, 4> arguments;
  for (auto [generic, part] : llvm::zip_equal(generics, parts)) {
    std::optional<GenericArgument> argument = argumentNamed(*this, generic, part.trim());
    if (!argument) {
      diagnostics.emit({}, diag::InstanceArgument, shown(text), shown(part.trim()),
                       generic.constType ? "a constant of the type of the parameter" : "a type",
                       generic.name.name);
      return;
    }
    arguments.push_back(*argument);
  }
  instance(found->second, arguments, {});
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as items: names, signatures, and the order in which a file is checked.
#include "frontend/sema/Session.h"
#include "frontend/sema/Wording.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

// A parameter of a name that is taken stays in the signature, so that calls are counted right.
static ArrayRef<const Local *> declareParameters(Session &session, const FunctionEntry &entry) {
  const syntax::FunctionItem &item = *entry.item;
  llvm::DenseMap<StringRef, SourceRange> seen;
  llvm::SmallVector<const Local *, 8> locals;
  if (entry.self)
    locals.push_back(new (session.program.arena)
                         Local{"self", entry.self, item.name.range, /*isMutable=*/false});
  for (const syntax::Parameter &parameter : item.parameters) {
    const syntax::Identifier &name = parameter.name;
    session.rejectReserved(name);
    Type type = session.resolve(*parameter.type);
    if (item.isKernel() && (type.isArray() || type.isTuple())) {
      session.diagnostics.emit(parameter.type->range, diag::KernelParameter,
                               type.isArray() ? "an array" : "a tuple");
      type = session.program.types.error();
    }
    if (item.isKernel() && parameter.byDefault)
      session.diagnostics.emit(parameter.byDefault->range, diag::KernelDefault, shown(name.name));
    auto [first, isNew] = seen.try_emplace(name.name, name.range);
    if (!isNew) {
      type = session.program.types.error(); // its uses are not judged
      session.diagnostics
          .emit(name.range, diag::DuplicateName, shown(name.name), "among the parameters")
          .note(first->second, diag::DeclaredHere, shown(name.name));
    }
    locals.push_back(new (session.program.arena) Local{name.name, type, name.range, false});
  }
  return ArrayRef(locals).copy(session.program.arena);
}

static Type resultType(Session &session, const syntax::FunctionItem &item) {
  if (!item.result)
    return session.program.types.unit();
  Type type = session.resolve(*item.result);
  if (!item.isKernel() || type.isError())
    return type;
  session.diagnostics.emit(item.result->range, diag::KernelResult);
  return session.program.types.error();
}

// The names of a generic's parameters and what they may be.
static void checkGenerics(Session &session, const syntax::FunctionItem &item) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  for (const syntax::GenericParameter &generic : item.generics) {
    const syntax::Identifier &name = generic.name;
    auto [first, isNew] = seen.try_emplace(name.name, name.range);
    if (!session.rejectReserved(name) && !isNew)
      session.diagnostics
          .emit(name.range, diag::DuplicateName, shown(name.name), "among the parameters")
          .note(first->second, diag::DeclaredHere, shown(name.name));
    if (generic.bound && !syntax::isBoundName(generic.bound->name))
      session.diagnostics.emit(generic.bound->range, diag::UnknownBound, shown(generic.bound->name),
                               syntax::boundNames("and"));
    if (!generic.constType)
      continue;
    Type type = session.resolve(*generic.constType);
    if (!type.isInt() && !type.isBool() && !type.isError())
      session.diagnostics.emit(generic.constType->range, diag::ConstParameterType, type.str());
  }
}

unsigned addFunction(Session &session, const syntax::FunctionItem &item, StringRef name,
                     Type self) {
  checkGenerics(session, item);
  auto *function = new (session.program.functionStorage.Allocate()) Function{
      name, item.isKernel(), item.name.range, {}, session.program.types.error(), {}, {}};
  session.functions.push_back({&item, function, session.names});
  session.functions.back().self = self;
  return session.functions.size() - 1;
}

static void declareFunction(Session &session, const syntax::FunctionItem &item) {
  const syntax::Identifier &name = item.name;
  if (name.name == "main") // of a whole program
    session.diagnostics.emit(name.range, diag::NotYetSupported, "'fn main'");
  unsigned index = addFunction(session, item, name.name, Type());
  if (session.claim(name))
    session.names->functions.try_emplace(name.name, index);
}

void declareSignature(Session &session, FunctionEntry &entry) {
  InFunction here(session, entry);
  entry.function->parameters = declareParameters(session, entry);
  entry.function->result = resultType(session, *entry.item);
  checkAttributes(session, entry);
}

void declareFunctions(Session &session, const syntax::FileSet &files) {
  for (const std::unique_ptr<syntax::File> &file : files.files()) {
    session.names = &session.files.emplace_back(*file);
    session.names->skipped.insert_range(file->skippedNames);
    declareTypes(session, *file);
    for (const syntax::FunctionItem *item : file->functions)
      declareFunction(session, *item);
  }
  resolveUses(session, files);
  completeTypes(session);
  session.names = &session.files.front();
  for (FunctionEntry &entry : session.functions)
    if (!entry.isGeneric())
      declareSignature(session, entry);
  session.signaturesAreKnown = true;
}

/// How an instance of a generic is named, as in "scale[f32, 16]".
static std::string exampleOf(const FunctionEntry &entry) {
  std::string text = entry.function->name.str();
  for (const auto &[index, generic] : llvm::enumerate(entry.item->generics)) {
    text += index == 0 ? "[" : ", ";
    if (generic.constType)
      text += generic.constType->name == "bool" ? "true" : "16";
    else
      text += generic.bound && generic.bound->name == "Int" ? "i32" : "f32";
  }
  return text + "]";
}

// Generic kernels are compiled as what instances of them were asked for.
static void makeInstances(Session &session) {
  for (const std::string &text : session.options.instances)
    session.instantiate(text);
  for (const auto &[name, index] : session.names->functions)
    if (const FunctionEntry &entry = session.functions[index];
        entry.isGeneric() && entry.function->isKernel)
      session.program.genericKernels.push_back({name, exampleOf(entry)});
  llvm::sort(session.program.genericKernels,
             [](const auto &a, const auto &b) { return a.name < b.name; });
}

// Kernels are those that the compiled file has or uses, and instances of them.
static bool isInProgram(Session &session, const FunctionEntry &entry) {
  if (entry.isGeneric())
    return false;
  if (!entry.function->isKernel || !entry.arguments.empty())
    return true;
  auto found = session.files.front().functions.find(entry.function->name);
  return found != session.files.front().functions.end() &&
         session.functions[found->second].function == entry.function;
}

// Symbols are one space, names one a file; a kernel's is its own.
static void nameSymbols(Session &session, llvm::MutableArrayRef<Function *> functions) {
  llvm::DenseSet<StringRef> taken;
  for (Function *function : functions)
    if (function->isKernel)
      taken.insert(function->name);
  for (Function *function : functions) {
    StringRef name = function->name;
    for (unsigned number = 2; !function->isKernel && !taken.insert(function->name).second; ++number)
      function->name =
          StringRef((name + "." + llvm::Twine(number)).str()).copy(session.program.arena);
  }
}

std::unique_ptr<Program> check(const syntax::FileSet &files, const CheckOptions &options,
                               diag::Engine &diagnostics) {
  auto program = std::make_unique<Program>();
  Session session(*program, options, diagnostics);

  declareFunctions(session, files); // so that calls may stand before what they call
  makeInstances(session);
  // Bodies that are checked need instances, which have bodies.
  for (size_t index = 0; index != session.functions.size(); ++index)
    if (FunctionEntry &entry = session.functions[index];
        !entry.item->isBroken && !entry.isGeneric())
      checkBody(session, entry);
  checkRecursion(session);
  if (diagnostics.hasErrors())
    return nullptr;

  std::vector<Function *> functions;
  for (const FunctionEntry &entry : session.functions)
    if (isInProgram(session, entry))
      functions.push_back(entry.function);
  nameSymbols(session, functions);
  std::vector<const Function *> made(functions.begin(), functions.end());
  program->functions = ArrayRef(made).copy(program->arena);
  std::vector<const Constant *> constants;
  for (const auto &entry : session.constants)
    if (entry->constant->type.isArray())
      constants.push_back(entry->constant);
  program->constants = ArrayRef(constants).copy(program->arena);
  return program;
}

} // namespace spl::sema

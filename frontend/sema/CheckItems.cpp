// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as items: names, signatures, and the order in which a file is checked.
#include "frontend/sema/Session.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

// A parameter of a name that is taken stays in the signature, so that calls are counted right.
static ArrayRef<const Local *> declareParameters(Session &session,
                                                 const syntax::FunctionItem &item) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  llvm::SmallVector<const Local *, 8> locals;
  for (const syntax::Parameter &parameter : item.parameters) {
    const syntax::Identifier &name = parameter.name;
    session.rejectReserved(name);
    Type type = session.resolve(*parameter.type);
    if (item.isKernel() && (type.isArray() || type.isTuple())) {
      session.diagnostics.emit(parameter.type->range, diag::KernelParameter,
                               type.isArray() ? "an array" : "a tuple");
      type = session.program.types.error();
    }
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

static void declareFunction(Session &session, const syntax::FunctionItem &item) {
  const syntax::Identifier &name = item.name;
  unsigned index = session.functions.size();
  if (session.claim(name))
    session.functionIndices.try_emplace(name.name, index);
  ArrayRef<const Local *> parameters = declareParameters(session, item);
  auto *function = new (session.program.arena)
      Function{name.name, item.isKernel(), name.range, parameters, resultType(session, item), {}, {}};
  session.functions.push_back({&item, function, {}});
}

// What is left out of the program, each with its report: items of later versions.
static void skipLaterItems(Session &session, const syntax::File &file) {
  for (const syntax::UseItem &use : file.uses) {
    session.diagnostics.emit(use.range, diag::NotYetSupported, "'use'");
    for (const syntax::Identifier &name : use.names)
      session.skippedNames.insert(name.name);
  }
}

// Whether a function has parts of later versions, which is reported.
static bool skipLaterFunction(Session &session, const syntax::FunctionItem &item) {
  auto skip = [&](SourceRange range, const char *construct) {
    session.skippedNames.insert(item.name.name);
    if (!item.isBroken)
      session.diagnostics.emit(range, diag::NotYetSupported, construct);
    return true;
  };
  if (!item.generics.empty())
    return skip(item.generics[0].name.range, "a generic function");
  for (const syntax::Parameter &parameter : item.parameters) {
    if (parameter.byDefault)
      return skip(parameter.byDefault->range, "a default argument");
    if (parameter.isAlias)
      return skip(parameter.name.range, "the attribute 'alias'");
  }
  const syntax::FunctionAttributes &attributes = item.attributes;
  if (!attributes.block.empty() || attributes.minBlocks)
    return skip(attributes.range, "a launch bound in '#[gpu(...)]'");
  if (attributes.isInline || attributes.isNoinline || attributes.isFastMath ||
      attributes.isUnchecked)
    return skip(attributes.range, "an attribute but '#[gpu]'");
  return false;
}

void declareFunctions(Session &session, const syntax::File &file) {
  session.functions.reserve(file.functions.size());
  for (const syntax::FunctionItem *item : file.functions)
    if (!skipLaterFunction(session, *item))
      declareFunction(session, *item);
}

std::unique_ptr<Program> check(const syntax::File &file, const CheckOptions &options,
                               diag::Engine &diagnostics) {
  auto program = std::make_unique<Program>();
  Session session(*program, options, diagnostics);

  session.skippedNames.insert_range(file.skippedNames);
  skipLaterItems(session, file);
  declareTypes(session, file);
  declareFunctions(session, file); // so that calls may stand before what they call
  for (FunctionEntry &entry : session.functions)
    if (!entry.item->isBroken)
      checkBody(session, entry);
  completeTypes(session);
  checkRecursion(session);
  if (diagnostics.hasErrors())
    return nullptr;

  std::vector<const Function *> functions;
  for (const FunctionEntry &entry : session.functions)
    functions.push_back(entry.function);
  program->functions = ArrayRef(functions).copy(program->arena);
  std::vector<const Constant *> constants;
  for (const auto &entry : session.constants)
    if (entry->constant->type.isArray())
      constants.push_back(entry->constant);
  program->constants = ArrayRef(constants).copy(program->arena);
  return program;
}

} // namespace spl::sema

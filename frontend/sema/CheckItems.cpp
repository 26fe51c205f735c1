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
  if (!session.rejectReserved(name)) {
    auto [first, isNew] = session.functionIndices.try_emplace(name.name, index);
    if (!isNew)
      session.diagnostics.emit(name.range, diag::DuplicateName, shown(name.name), "in this file")
          .note(session.functions[first->second].function->range, diag::DeclaredHere,
                shown(name.name));
  }
  ArrayRef<const Local *> parameters = declareParameters(session, item);
  auto *function = new (session.program.arena)
      Function{name.name, item.isKernel(), name.range, parameters, resultType(session, item), {}, {}};
  session.functions.push_back({&item, function, {}});
}

void declareFunctions(Session &session, const syntax::File &file) {
  session.functions.reserve(file.functions.size());
  session.skippedNames.insert_range(file.skippedNames);
  for (const syntax::FunctionItem *item : file.functions)
    declareFunction(session, *item);
}

std::unique_ptr<Program> check(const syntax::File &file, const CheckOptions &options,
                               diag::Engine &diagnostics) {
  auto program = std::make_unique<Program>();
  Session session(*program, options, diagnostics);

  declareFunctions(session, file); // so that calls may stand before what they call
  for (FunctionEntry &entry : session.functions)
    if (!entry.item->isBroken)
      checkBody(session, entry);
  checkRecursion(session);
  if (diagnostics.hasErrors())
    return nullptr;

  std::vector<const Function *> functions;
  for (const FunctionEntry &entry : session.functions)
    functions.push_back(entry.function);
  program->functions = ArrayRef(functions).copy(program->arena);
  return program;
}

} // namespace spl::sema

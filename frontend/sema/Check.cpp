// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a set of files: first the declarations, then the bodies, then the graph of calls.
#include "frontend/sema/Check.h"
#include "frontend/sema/Session.h"
#include "frontend/sema/declarations/Functions.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/declarations/Recursion.h"
#include "frontend/sema/statements/Body.h"

namespace spl::sema {

// Makes the instances of generic kernels that the options name.
static void makeInstances(Session &session) {
  for (const std::string &text : session.options.instances)
    session.instantiate(text);
  for (const auto &[name, index] : session.names->functions)
    if (const FunctionEntry &entry = session.functions[index];
        entry.isGeneric() && entry.function->isKernel)
      session.program.genericKernels.push_back({name, exampleOf(name, entry.item->generics)});
  llvm::sort(session.program.genericKernels,
             [](const auto &a, const auto &b) { return a.name < b.name; });
}

// Whether the program contains the function: a kernel of the compiled file, an imported kernel, an
// instance of a kernel, or any function that is no kernel.
static bool isInProgram(Session &session, const FunctionEntry &entry) {
  if (entry.isGeneric())
    return false;
  if (!entry.function->isKernel || entry.isInstance())
    return true;
  auto found = session.files.front().functions.find(entry.function->name);
  return found != session.files.front().functions.end() &&
         session.functions[found->second].function == entry.function;
}

// Makes the names of functions unique in the program, because names are unique only in their file.
// The symbol of a kernel is its name.
static void nameSymbols(Session &session, llvm::MutableArrayRef<Function *> functions) {
  llvm::DenseSet<StringRef> taken;
  for (Function *function : functions)
    if (function->isKernel)
      taken.insert(function->name);
  for (Function *function : functions) {
    StringRef name = function->name;
    for (unsigned number = 2; !function->isKernel && !taken.insert(function->name).second; ++number)
      function->name = StringRef((name + "." + llvm::Twine(number)).str()).copy(session.arena);
  }
}

std::unique_ptr<Program> check(const syntax::FileSet &files, const CheckOptions &options,
                               diag::Engine &diagnostics) {
  auto program = std::make_unique<Program>();
  Session session(*program, options, diagnostics);

  declareFunctions(session, files); // before bodies, because a call may precede its callee
  makeInstances(session);
  // Checking a body may append instances, whose bodies are checked too.
  for (size_t index = 0; index != session.functions.size(); ++index)
    if (FunctionEntry &entry = session.functions[index];
        !entry.item->isBroken && !entry.isGeneric())
      ensureBody(session, entry);
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

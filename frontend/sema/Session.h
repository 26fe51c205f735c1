// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of checking one file share: the program being made, the functions by name, the
// types as written. Lives for one call of check(); mistakes go to the engine.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace spl::sema {

struct CallSite {
  unsigned callee; ///< index into Session::functions
  SourceRange range;
};

/// A function of the file and whom it calls.
struct FunctionEntry {
  const syntax::FunctionItem *item;
  Function *function;
  std::vector<CallSite> calls;
};

class Session {
public:
  Session(Program &program, const CheckOptions &options, diag::Engine &diagnostics)
      : program(program), options(options), diagnostics(diagnostics) {}

  Program &program;
  const CheckOptions &options;
  diag::Engine &diagnostics;
  std::vector<FunctionEntry> functions; ///< in the order of the source
  llvm::DenseMap<StringRef, unsigned> functionIndices;
  llvm::DenseSet<StringRef> skippedNames; ///< of items that were reported and left out

  /// The type as written; Error where that was reported.
  Type resolve(const syntax::TypeExpr &type);
  Type resolve(const syntax::TypeExpr *type) { return type ? resolve(*type) : Type(); }

  /// Reports the name of a module, which nothing may be declared as (types' names are the parser's).
  /// True where it did.
  bool rejectReserved(const syntax::Identifier &name);
  /// True while messages are still shown: only then is it worth searching for a similar name.
  bool isListening() const { return diagnostics.errorCount() < diag::Engine::errorLimit; }
};

/// A type's name of the language, of this version or a later one.
bool isTypeName(StringRef name);
/// "gpu" and "math".
bool isModuleName(StringRef name);

/// Declares the functions: their names and signatures.
void declareFunctions(Session &session, const syntax::File &file);
/// Checks one body and fills it into its function.
void checkBody(Session &session, FunctionEntry &entry);
/// Reports each cycle of calls.
void checkRecursion(Session &session);

} // namespace spl::sema

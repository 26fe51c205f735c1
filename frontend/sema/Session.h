// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of checking one file share: the program being made, the functions by name, the
// types as written. Lives for one call of check(); mistakes go to the engine.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
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

/// A const of the file: its value is found when it is first asked for.
struct ConstEntry {
  const syntax::ConstItem *item;
  Constant *constant; ///< without a value where that was reported
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

/// A struct of the file: its fields are found when they are first asked for.
struct StructEntry {
  const syntax::StructItem *item;
  StructInfo *info;
  std::vector<const Expr *> defaults; ///< by field, constants; null where there is none
  enum class State : uint8_t { New, Open, Done } state = State::New;
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
  llvm::DenseMap<StringRef, SourceRange> itemNames; ///< of all kinds of items
  llvm::DenseMap<StringRef, Type> namedTypes;       ///< structs and enums
  std::vector<std::unique_ptr<StructEntry>> structs;
  llvm::DenseMap<const StructInfo *, StructEntry *> structEntries;
  std::vector<std::unique_ptr<ConstEntry>> constants;
  llvm::DenseMap<StringRef, ConstEntry *> constantsByName;
  llvm::DenseSet<StringRef> skippedNames; ///< of items that were reported and left out

  /// The type as written; Error where that was reported.
  Type resolve(const syntax::TypeExpr &type);
  Type resolve(const syntax::TypeExpr *type) { return type ? resolve(*type) : Type(); }

  /// The fields of a struct are known afterwards; false where they cannot be, which was reported.
  bool complete(StructEntry &entry);
  /// The same of a const's value: null where it has none.
  const Constant *complete(ConstEntry &entry);
  /// An expression of a declaration, computed: of that type where one is wanted. Null: reported.
  const Expr *checkConstant(const syntax::Expr &expr, Type wanted);
  /// What an expression computes: a ConstantExpr or a BuildExpr of such. Null: reported.
  const Expr *constantOf(const Expr &expr);
  /// The array type, or Error where there can be none; text is what to quote.
  Type array(Type element, const Expr &length, SourceRange range);
  Type array(Type element, uint64_t length, SourceRange range);
  /// Whether values of the type may be kept inside something, "an array"; else reports it.
  bool requireHeld(Type type, SourceRange range, StringRef holder);
  /// Takes the name for an item; reports where another one has it.
  bool claim(const syntax::Identifier &name);

  /// Reports the name of a module, which nothing may be declared as (types' names are the parser's).
  /// True where it did.
  bool rejectReserved(const syntax::Identifier &name);
  /// True while messages are still shown: only then is it worth searching for a similar name.
  bool isListening() const { return diagnostics.errorCount() < diag::Engine::errorLimit; }
};

/// The format of a float type.
const llvm::fltSemantics &semanticsOf(Type type);
/// A type's name of the language, of this version or a later one.
bool isTypeName(StringRef name);
/// "gpu" and "math".
bool isModuleName(StringRef name);

/// Declares constants, structs and enums.
void declareTypes(Session &session, const syntax::File &file);
/// Finds out what nothing has asked for.
void completeTypes(Session &session);
/// Declares the functions: their names and signatures.
void declareFunctions(Session &session, const syntax::File &file);
/// Checks one body and fills it into its function.
void checkBody(Session &session, FunctionEntry &entry);
/// Reports each cycle of calls.
void checkRecursion(Session &session);

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of checking share: the program that is made, the functions and types by name, and
// the types that are written in the source. Lives for one call of check(). Errors go to the engine.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/FileSet.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace spl::sema {

struct CallSite {
  unsigned callee; ///< index into Session::functions
  SourceRange range;
};

struct ConstEntry;

/// What the names at the top level of one file mean, imported ones included.
struct FileNames {
  explicit FileNames(const syntax::File &file) : file(&file) {}

  const syntax::File *file;
  llvm::DenseMap<StringRef, SourceRange> items; ///< of all kinds, with the place of the declaration
  llvm::DenseMap<StringRef, unsigned> functions; ///< index into Session::functions
  llvm::DenseMap<StringRef, Type> types;         ///< structs and enums
  llvm::DenseMap<StringRef, ConstEntry *> constants;
  llvm::DenseSet<StringRef> skipped; ///< items that were reported and left out
};

/// What a generic parameter is in one instance: a type, or a constant of that type.
struct GenericArgument {
  Type type = {}; ///< null: not yet known
  const ConstantExpr *value = nullptr;
};

/// A function of the source, or one instance of a generic function, with its calls. A generic
/// function has an entry of its own, whose Function has a name only.
struct FunctionEntry {
  const syntax::FunctionItem *item;
  Function *function;
  FileNames *names; ///< of the file that declares it
  std::vector<CallSite> calls = {};
  StringRef shownName = {};                 ///< as users write it: "axpy[f32]"
  ArrayRef<GenericArgument> arguments = {}; ///< of an instance, by the item's generics
  const FunctionEntry *neededBy = nullptr;  ///< of an instance: its first caller
  SourceRange neededAt = {};                ///< of an instance: the call
  unsigned depth = 0;                       ///< of an instance: the length of the chain of callers
  std::vector<const Expr *> defaults = {};  ///< by parameter, once they are checked
  std::vector<unsigned> defaultCalls = {};  ///< calls in each default, transitively
  Type self = {};                           ///< of a method: the struct; else null

  /// The name in diagnostics.
  StringRef writtenName() const { return shownName.empty() ? function->name : shownName; }
  bool isGeneric() const { return !item->generics.empty() && arguments.empty(); }
};

/// The maximum size of an array, a struct or a tuple. Locals are on the stack, and constants are in
/// constant memory.
constexpr uint64_t maxTypeBytes = 64 << 10;

/// A const of a file. Its value is computed at its first use.
struct ConstEntry {
  const syntax::ConstItem *item;
  FileNames *names;   ///< of the file that declares it
  Constant *constant; ///< without a value if an error is reported
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

/// A struct of a file. Its fields are checked at its first use.
struct StructEntry {
  const syntax::StructItem *item;
  FileNames *names; ///< of the file that declares it
  StructInfo *info;
  std::vector<const Expr *> defaults;            ///< by field, constants; null without a default
  llvm::DenseMap<StringRef, unsigned> methods{}; ///< index into Session::functions
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

class Session {
public:
  Session(Program &program, const CheckOptions &options, diag::Engine &diagnostics)
      : program(program), arena(program.arena), types(program.types), options(options),
        diagnostics(diagnostics) {}

  /// A node of the typed tree, in the program's arena.
  template <class Node> Node *make(Node node) { return new (arena) Node(std::move(node)); }

  Program &program;
  llvm::BumpPtrAllocator &arena;
  TypeContext &types;
  const CheckOptions &options;
  diag::Engine &diagnostics;
  /// In the order of the source, then instances in the order of their first use. Entries do not
  /// move.
  std::deque<FunctionEntry> functions;
  /// Whether functions can be called. Types of parameters may need constants, so constants come
  /// first and cannot call functions.
  bool signaturesAreKnown = false;
  std::deque<FileNames> files; ///< the compiled file first
  FileNames *names = nullptr;  ///< of the file that is being checked
  std::vector<std::unique_ptr<StructEntry>> structs;
  llvm::DenseMap<const StructInfo *, StructEntry *> structEntries;
  std::vector<std::unique_ptr<ConstEntry>> constants;
  /// Levels of the definition that is being checked and of those that need it. See NeededInside.
  unsigned definitionDepth = 0;
  bool hasTooDeepDefinition = false;

  /// The function whose generic parameters have a meaning now, or null.
  const FunctionEntry *current = nullptr;
  /// What the name means as a generic parameter of `current`, or null.
  const GenericArgument *bound(StringRef name) const;
  /// The instance of a generic function, made at its first use: an index into functions. None: an
  /// error is reported.
  std::optional<unsigned> instance(unsigned generic, ArrayRef<GenericArgument> arguments,
                                   SourceRange range);
  /// Makes the instance that the text names, as in "scale[f32, 16]".
  void instantiate(StringRef text);

  /// The type that is written. The error type if an error is reported.
  Type resolve(const syntax::TypeExpr &type);
  /// The type of that name in the current file and instance, or a null Type.
  Type typeNamed(StringRef name);
  Type resolve(const syntax::TypeExpr *type) { return type ? resolve(*type) : Type(); }

  /// Checks the fields of a struct if they are not yet checked. False: an error is reported.
  bool complete(StructEntry &entry);
  /// Computes the value of a const if it is not yet known. Null: an error is reported.
  const Constant *complete(ConstEntry &entry);
  /// The value of an expression outside any body. expected may be null. Null: an error is reported.
  const Expr *checkConstant(const syntax::Expr &expr, Type expected);
  /// The value of a checked expression: a ConstantExpr or a BuildExpr of constants. Null: an error
  /// is reported, with the hint if the expression is not constant.
  const Expr *constantOf(const Expr &expr, StringRef hint = {});
  /// The value of an integer or an enum, or null if it is not constant. Reports nothing.
  const ConstantExpr *knownInteger(const Expr &expr);
  /// The array type, or the error type if an error is reported. range is what the error quotes.
  Type array(Type element, const Expr &length, SourceRange range);
  Type array(Type element, uint64_t length, SourceRange range);
  /// The tuple type, or the error type if an error is reported.
  Type tuple(ArrayRef<Type> elements, SourceRange range);
  /// Reports a type that cannot be part of something; holder names it, as in "an array". Returns
  /// false if it did.
  bool requireHeld(Type type, SourceRange range, StringRef holder);
  /// Declares an item's name. Returns false if it is taken, which is reported.
  bool claim(const syntax::Identifier &name);

  /// Reports the name of a module, which nothing can be declared as. Returns true if it did. The
  /// parser reports names of types.
  bool rejectReserved(const syntax::Identifier &name);
  /// All instances, by generic function and arguments.
  std::map<std::pair<unsigned, std::vector<uint64_t>>, unsigned> instances;
  bool hasTooManyInstances = false;
  /// Whether errors are still shown. If not, there is no need to search for similar names.
  bool isListening() const { return diagnostics.errorCount() < diag::Engine::errorLimit; }
};

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that all parts of checking share: the program that is being made, and the functions,
// types and constants by name. Exists for one call of check().
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

class Scopes;
struct ConstEntry;
struct GenericStruct;

/// The declarations of the names at the top level of one file, including imported names.
struct FileNames {
  explicit FileNames(const syntax::File &file) : file(&file) {}

  const syntax::File *file;
  /// Names of all kinds, with the place of the declaration.
  llvm::DenseMap<StringRef, SourceRange> items;
  llvm::DenseMap<StringRef, unsigned> functions; ///< index into Session::functions
  llvm::DenseMap<StringRef, Type> types;         ///< structs and enums
  llvm::DenseMap<StringRef, GenericStruct *> genericStructs;
  llvm::DenseMap<StringRef, ConstEntry *> constants;
  llvm::DenseSet<StringRef> skipped; ///< items that are left out because of a reported error
};

/// The argument for a generic parameter in one instance: a type, or a constant of that type.
struct GenericArgument {
  Type type = {}; ///< null until it is inferred
  const ConstantExpr *value = nullptr;
};

/// One instance of a generic function or struct: what its parameters stand for, and who needed it.
struct Instance {
  StringRef name;       ///< as users write it: "axpy[f32]"
  SourceRange declared; ///< the name in the declaration
  ArrayRef<syntax::GenericParameter> generics;
  ArrayRef<GenericArgument> arguments; ///< by generics
  const Instance *outer = nullptr;     ///< of a generic method: that of its struct, or null
  const Instance *neededBy = nullptr;  ///< the instance that needed it first, or null
  SourceRange neededAt = {};           ///< the place where it was needed first
  unsigned depth = 1;                  ///< the length of the chain of instances that need it
};

/// A function of the source, or one instance of a generic function, with its calls. A generic
/// function itself also has an entry; its Function has only a name.
struct FunctionEntry {
  const syntax::FunctionItem *item;
  Function *function;
  FileNames *names; ///< the names of the file that declares it
  std::vector<CallSite> calls = {};
  /// Its own instance, or that of the struct of a method. Null if neither is generic.
  const Instance *instance = nullptr;
  std::vector<const Expr *> defaults = {}; ///< the checked defaults, by parameter
  std::vector<unsigned> defaultCalls = {}; ///< the number of calls in each default, transitively
  Type self = {};                          ///< the struct of a method; else null
  /// What is checked of it already. Constants may need it earlier.
  enum class State : uint8_t { New, Open, Done };
  State signature = State::New, body = State::New;
  bool isBodyWrong = false; ///< an error is reported in the body

  /// The name in diagnostics.
  StringRef writtenName() const { return function->writtenName; }
  /// Whether it is an instance of a generic function or method.
  bool isInstance() const { return instance && instance->generics.data() == item->generics.data(); }
  bool isGeneric() const { return !item->generics.empty() && !isInstance(); }
};

/// The maximum size of an array, a struct or a tuple. Locals are on the stack, and constants are in
/// constant memory.
constexpr uint64_t maxTypeBytes = 64 << 10;

/// A const of a file. Its value is computed at its first use.
struct ConstEntry {
  const syntax::ConstItem *item;
  FileNames *names;   ///< the names of the file that declares it
  Constant *constant; ///< without a value if an error is reported
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

/// A generic struct of a file. Each of its instances is a struct of its own.
struct GenericStruct {
  const syntax::StructItem *item;
  FileNames *names; ///< the names of the file that declares it
  std::map<std::vector<uint64_t>, Type> instances =
      {}; ///< by arguments; an error type if one is reported
};

/// A struct of a file, or an instance of a generic one. Its fields are checked at its first use.
struct StructEntry {
  const syntax::StructItem *item;
  FileNames *names; ///< the names of the file that declares it
  StructInfo *info = nullptr;
  const GenericStruct *generic = nullptr; ///< of an instance
  const Instance *instance = nullptr;     ///< of an instance
  std::vector<const Expr *> defaults{};   ///< constants, by field; null without a default
  /// Indices into Session::functions. The methods of an instance are added at their first use.
  llvm::DenseMap<StringRef, unsigned> methods{};
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

class Session {
public:
  Session(Program &program, const CheckOptions &options, diag::Engine &diagnostics)
      : program(program), arena(program.arena), types(program.types), options(options),
        diagnostics(diagnostics), hasSyntaxErrors(diagnostics.hasErrors()) {}

  /// A node of the typed tree, in the program's arena.
  template <class Node> Node *make(Node node) { return new (arena) Node(std::move(node)); }

  Program &program;
  llvm::BumpPtrAllocator &arena;
  TypeContext &types;
  const CheckOptions &options;
  diag::Engine &diagnostics;
  /// Parts of functions may be missing, so that no constant can call them.
  const bool hasSyntaxErrors;
  /// The functions in the order of the source, then the instances in the order of their first use.
  /// Entries do not move.
  std::deque<FunctionEntry> functions;
  llvm::DenseMap<const Function *, FunctionEntry *> functionEntries;
  /// Adds a function without its signature. Returns its index.
  unsigned add(FunctionEntry entry);
  std::deque<FileNames> files; ///< the compiled file is first
  FileNames *names = nullptr;  ///< the names of the file that is being checked
  /// Those of the source, then the instances.
  std::vector<std::unique_ptr<StructEntry>> structs;
  /// Adds a struct, whose StructInfo it makes, without its fields.
  StructEntry &add(StringRef name, StructEntry entry);
  std::vector<std::unique_ptr<GenericStruct>> genericStructs;
  llvm::DenseMap<const StructInfo *, StructEntry *> structEntries;
  std::vector<std::unique_ptr<ConstEntry>> constants;
  /// The levels of the definition that is being checked and of the definitions that need it. See
  /// NeededInside.
  unsigned definitionDepth = 0;
  bool hasTooDeepDefinition = false;

  /// The locals of the function whose signature or body is being checked, for messages about types
  /// that use them. Null elsewhere. Not owned: the function that sets it owns the scopes.
  Scopes *locals = nullptr;

  /// The instance whose generic parameters are in scope, or null.
  const Instance *current = nullptr;
  /// The argument of the generic parameter `name` in `current`, or null.
  const GenericArgument *bound(StringRef name) const;
  /// Returns the instance of a generic function as an index into `functions`. The first call makes
  /// it. Returns nothing if it reports an error.
  std::optional<unsigned> instance(unsigned generic, ArrayRef<GenericArgument> arguments,
                                   SourceRange range);
  /// Makes the instance that `text` names, as in "scale[f32, 16]".
  void instantiate(StringRef text);

  /// Resolves a type of the source. Returns the error type if it reports an error.
  Type resolve(const syntax::TypeExpr &type);
  /// The type called `name` in the current file and instance, or a null Type.
  Type typeNamed(StringRef name);
  /// Resolves &T or &mut T, as the type of Local::isReference.
  Type resolveReference(const syntax::TypeExpr &type);
  Type resolve(const syntax::TypeExpr *type) { return type ? resolve(*type) : Type(); }

  /// Checks the fields of a struct, unless they are checked already. Returns false if it reports an
  /// error.
  bool complete(StructEntry &entry);
  /// Checks the structs that a type contains by value. Returns false if it reports an error, such
  /// as a cycle.
  bool completeInside(Type type);
  /// Computes the value of a const, unless it is known already. Returns null if it reports an
  /// error.
  const Constant *complete(ConstEntry &entry);
  /// Evaluates an expression outside any body. `expected` may be null. Returns null if it reports
  /// an error.
  const Expr *checkConstant(const syntax::Expr &expr, Type expected);
  /// Evaluates a checked expression to a ConstantExpr or a BuildExpr of constants. Returns null if
  /// it reports an error. `hint` is appended to the error about an expression that is not constant.
  const Expr *constantOf(const Expr &expr, StringRef hint = {});
  /// Returns the value of an integer or an enum, or null if it is not constant. Reports no errors.
  const ConstantExpr *knownInteger(const Expr &expr);
  /// Returns the array type, or the error type if it reports an error. The error quotes `range`.
  Type array(Type element, const Expr &length, SourceRange range);
  Type array(Type element, uint64_t length, SourceRange range);
  /// Returns the tuple type, or the error type if it reports an error.
  Type tuple(ArrayRef<Type> elements, SourceRange range);
  /// Reports a type that cannot be a field of a struct or an element of an array. `holder` names
  /// the struct or array, as in "an array". Returns false if it reports one.
  bool requirePart(Type type, SourceRange range, StringRef holder);
  /// As requirePart, for what is in memory, behind a reference or in a tuple, where no slice can
  /// be. The message ends with `remedy`, which says what to do instead.
  bool requireHeld(Type type, SourceRange range, StringRef holder, StringRef remedy);
  /// Reports a type that holds slices and has too many leaves. Returns false if it reports one.
  bool requireLeaves(uint64_t count, SourceRange range, StringRef what);
  /// Declares an item's name. If the name is taken, reports it and returns false.
  bool claim(const syntax::Identifier &name);

  /// Reports a declaration with the name of a module. Returns true if it reports one. The parser
  /// reports names of types.
  bool rejectReserved(const syntax::Identifier &name);
  /// All instances, by generic function and arguments.
  std::map<std::pair<unsigned, std::vector<uint64_t>>, unsigned> instances;
  unsigned instanceCount = 0; ///< of functions and structs
  bool hasTooManyInstances = false;
  /// Whether errors are still shown. If not, callers need not search for similar names.
  bool isListening() const { return diagnostics.errorCount() < diag::Engine::errorLimit; }
};

} // namespace spl::sema

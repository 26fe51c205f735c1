// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of checking one file share: the program being made, the functions by name, the
// types as written. Lives for one call of check(); mistakes go to the engine.
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

/// What the names at the top level of one file mean, with those that it uses from others.
struct FileNames {
  explicit FileNames(const syntax::File &file) : file(&file) {}

  const syntax::File *file;
  llvm::DenseMap<StringRef, SourceRange> items;  ///< of all kinds, where they are declared
  llvm::DenseMap<StringRef, unsigned> functions; ///< index into Session::functions
  llvm::DenseMap<StringRef, Type> types;         ///< structs and enums
  llvm::DenseMap<StringRef, ConstEntry *> constants;
  llvm::DenseSet<StringRef> skipped; ///< of items that were reported and left out
};

/// What a parameter of a generic stands for in one instance: a type, or a constant of that type.
struct GenericArgument {
  Type type = {}; ///< null: not known yet
  const ConstantExpr *value = nullptr;
};

/// A function of the source or one instance of a generic, and whom it calls. A generic itself has
/// an entry too, whose function has a name and nothing else.
struct FunctionEntry {
  const syntax::FunctionItem *item;
  Function *function;
  FileNames *names; ///< of the file that it stands in
  std::vector<CallSite> calls = {};
  StringRef shownName = {};                 ///< as users write it: "axpy[f32]"
  ArrayRef<GenericArgument> arguments = {}; ///< of an instance, by the item's generics
  const FunctionEntry *neededBy = nullptr;  ///< of an instance: who called it first
  SourceRange neededAt = {};                ///< and where
  unsigned depth = 0;                       ///< of an instance: how many needed each other up to it
  std::vector<const Expr *> defaults = {};  ///< by parameter, once they were checked
  std::vector<unsigned> defaultCalls = {};  ///< in each, with those in the defaults that it uses
  Type self = {};                           ///< of a method: the struct; else null

  /// What messages call it.
  StringRef writtenName() const { return shownName.empty() ? function->name : shownName; }
  bool isGeneric() const { return !item->generics.empty() && arguments.empty(); }
};

/// So many bytes may an array, a struct or a tuple take: locals are on the stack, constants in
/// constant memory.
constexpr uint64_t maxTypeBytes = 64 << 10;

/// A const of the file: its value is found when it is first asked for.
struct ConstEntry {
  const syntax::ConstItem *item;
  FileNames *names;   ///< of the file that it stands in
  Constant *constant; ///< without a value where that was reported
  enum class State : uint8_t { New, Open, Done } state = State::New;
};

/// A struct of the file: its fields are found when they are first asked for.
struct StructEntry {
  const syntax::StructItem *item;
  FileNames *names; ///< of the file that it stands in
  StructInfo *info;
  std::vector<const Expr *> defaults;            ///< by field, constants; null where there is none
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
  /// In the order of the source, then instances as they came up; entries do not move.
  std::deque<FunctionEntry> functions;
  /// Whether functions can be called: their parameters' types may need constants, which cannot.
  bool signaturesAreKnown = false;
  std::deque<FileNames> files; ///< the one that is compiled first
  FileNames *names = nullptr;  ///< of the file that is looked at
  std::vector<std::unique_ptr<StructEntry>> structs;
  llvm::DenseMap<const StructInfo *, StructEntry *> structEntries;
  std::vector<std::unique_ptr<ConstEntry>> constants;
  /// Of the constant, field or default that is looked at, with those that need it.
  unsigned definitionDepth = 0;
  bool hasTooDeepDefinition = false;

  /// The function whose types are being read: what its generics stand for.
  const FunctionEntry *current = nullptr;
  /// What the name stands for in the current instance, or null.
  const GenericArgument *bound(StringRef name) const;
  /// The instance of a generic, made at its first use; none where that was reported.
  std::optional<unsigned> instance(unsigned generic, ArrayRef<GenericArgument> arguments,
                                   SourceRange range);
  /// Makes the instance that text names, "scale[f32, 16]".
  void instantiate(StringRef text);

  /// The type as written; Error where that was reported.
  Type resolve(const syntax::TypeExpr &type);
  /// The type of that name here, or a null Type.
  Type typeNamed(StringRef name);
  Type resolve(const syntax::TypeExpr *type) { return type ? resolve(*type) : Type(); }

  /// The fields of a struct are known afterwards; false where they cannot be, which was reported.
  bool complete(StructEntry &entry);
  /// The same of a const's value: null where it has none.
  const Constant *complete(ConstEntry &entry);
  /// An expression of a declaration, computed: of that type where one is wanted. Null: reported.
  const Expr *checkConstant(const syntax::Expr &expr, Type wanted);
  /// What an expression computes: a ConstantExpr or a BuildExpr of such. Null: reported, with the
  /// hint where it is no constant.
  const Expr *constantOf(const Expr &expr, StringRef hint = {});
  /// The same of an integer or an enum, saying nothing: null where it is no constant.
  const ConstantExpr *knownInteger(const Expr &expr);
  /// The array type, or Error where there can be none; text is what to quote.
  Type array(Type element, const Expr &length, SourceRange range);
  Type array(Type element, uint64_t length, SourceRange range);
  /// The tuple type, or Error where it was reported as too large.
  Type tuple(ArrayRef<Type> elements, SourceRange range);
  /// Whether values of the type may be kept inside something, "an array"; else reports it.
  bool requireHeld(Type type, SourceRange range, StringRef holder);
  /// Takes the name for an item; reports where another one has it.
  bool claim(const syntax::Identifier &name);

  /// Reports the name of a module, which nothing may be declared as (types' names are the
  /// parser's). True where it did.
  bool rejectReserved(const syntax::Identifier &name);
  /// The instances there are, by generic and arguments.
  std::map<std::pair<unsigned, std::vector<uint64_t>>, unsigned> instances;
  bool hasTooManyInstances = false;
  /// True while messages are still shown: only then is it worth searching for a similar name.
  bool isListening() const { return diagnostics.errorCount() < diag::Engine::errorLimit; }
};

/// The format of a float type.
const llvm::fltSemantics &semanticsOf(Type type);
/// A type's name of the language.
bool isTypeName(StringRef name);
/// "gpu" and "math".
bool isModuleName(StringRef name);

/// Declares constants, structs and enums.
void declareTypes(Session &session, const syntax::File &file);
/// Finds out what nothing has asked for.
void completeTypes(Session &session);
/// Sets the session's current function as long as it lives, and says in errors what instance it is.
class InFunction {
public:
  InFunction(Session &session, const FunctionEntry &entry);
  ~InFunction();

private:
  Session &session;
  const FunctionEntry *outer;
  FileNames *outerNames;
};

/// Counts, as long as it lives, how deep the definition is that is looked at, together with those
/// that need it to be looked at before them.
class NeededInside {
public:
  NeededInside(Session &session, const syntax::TypeExpr *type, const syntax::Expr *value);
  ~NeededInside();
  /// Reports it, once for all definitions.
  bool isTooDeep(const syntax::Identifier &name);

private:
  Session &session;
  unsigned outer;
};

/// Adds a function, or a method of a struct, without its signature; answers its index.
unsigned addFunction(Session &session, const syntax::FunctionItem &item, StringRef name, Type self);
/// Declares the methods of a struct.
void declareMethods(Session &session, StructEntry &entry, Type type);
/// Fills in parameters, result and traits of a function that is not generic, or of an instance.
void declareSignature(Session &session, FunctionEntry &entry);
void checkAttributes(Session &session, FunctionEntry &entry);
/// Declares the functions: their names and signatures.
void declareFunctions(Session &session, const syntax::FileSet &files);
/// Adds to each file's names those that it uses from others.
void resolveImports(Session &session, const syntax::FileSet &files);
/// Checks one body and fills it into its function.
void checkBody(Session &session, FunctionEntry &entry);
/// Reports each cycle of calls.
void checkRecursion(Session &session);

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the generator while it makes one program, and the functions that generate its parts.
// Each file has one group of these functions. An expression is text, in parentheses if necessary. A
// statement is one or more lines, each with its newline.
#pragma once

#include "test/generator/Generator.h"

#include <optional>
#include <random>

namespace spl::generator {

/// A parameter or a variable.
struct Name {
  std::string text;
  Type type;
  bool isMutable = false;
  bool isUniform = false; ///< has the same value in the whole group
};

/// The name of a slice, a row or a sub-slice.
struct SliceName {
  std::string text;
  Type element;
  unsigned rank = 1;
  Role role = Role::Input;
};

/// A function of the program. The prelude's functions are not listed.
struct Callable {
  std::string name;
  std::vector<Type> parameters;
  Type result;
  std::optional<Type> slice; ///< the element type of the first parameter, if that is a slice
  std::string body;          ///< ends with a return
};

/// A struct of the program, or the instance of a generic one that the program uses. Functions on it
/// are generated with it.
struct Record {
  std::string name; ///< as in "S1[i32, 2]"
  std::vector<Type> fields;
  std::string inferred = {}; ///< the name for a call that infers the arguments, or empty
};

/// The position of a statement: its nesting, and what is allowed there.
struct Place {
  int depth = 0, loops = 0;
  bool isUniform = false;
  bool inFunction = false;
  bool mayLeaveLoop = false, mayReturn = false; ///< true also where the group has diverged
  bool mayLeaveOuter = false; ///< whether the outermost loop may be left, which then has a label
};

enum class Statement {
#define STATEMENT(Id, ...) Id,
#include "test/generator/Weights.def"
};
enum class Feature {
#define FEATURE(Id, ...) Id,
#include "test/generator/Weights.def"
};
enum class Expression {
#define EXPRESSION(Id, ...) Id,
#include "test/generator/Weights.def"
};

struct Context {
  explicit Context(std::uint64_t seed) : random(seed) { program.seed = seed; }

  int below(int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }
  bool oneIn(int count) { return below(count) == 0; }
  template <class T> const T &oneOf(const std::vector<T> &choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  std::string oneOf(std::initializer_list<const char *> choices) {
    return choices.begin()[below(static_cast<int>(choices.size()))];
  }
  std::string fresh(const char *prefix) { return prefix + std::to_string(next++); }
  bool is(Flavour flavour) const { return program.flavour == flavour; }

  std::mt19937_64 random;
  Variant variant = Variant::None; ///< does not change which random numbers are drawn
  Program program;
  int next = 4;   ///< the number of the next variable; v0 to v3 are those of the kernel
  int budget = 9; ///< the number of compound statements that may still be generated
  bool hasBarriers = false;
  bool hasGridBarriers = false; ///< then all groups must reach the end of the kernel
  bool isConstant = false; ///< what is generated may only use what is known when it is compiled
  bool isFolded = false;   ///< leaf expressions are constants that only the compiler's passes know
  Type home;               ///< the preferred type of this program
  std::vector<Name> names;
  std::vector<SliceName> slices;
  std::vector<Callable> functions;
  std::vector<Record> records;
  std::vector<std::pair<std::string, Record>> recordNames; ///< variables of struct types
  std::vector<std::string> levels; ///< expressions of the prelude's enum, without a side effect
  std::string constantChecks;      ///< statements that compare constants with calls at run time
  std::string atomicOperation;
  bool isGeneric = false;           ///< the kernel has the parameters of Generics.cpp
  Type typeParameter, constantType; ///< the types T and that of C, if it is generic
  Type counter;                     ///< of the array `sums` in shared memory
  int boundedSlice = 0;             ///< the parameter for statements with several bounds
  std::string first;                ///< the first statements of the next loop's body
};

/// Restores the names of the enclosing block in its destructor.
class Scope {
public:
  explicit Scope(Context &context)
      : context(context), names(context.names), slices(context.slices),
        recordNames(context.recordNames), levels(context.levels) {}
  ~Scope() {
    context.names = std::move(names);
    context.slices = std::move(slices);
    context.recordNames = std::move(recordNames);
    context.levels = std::move(levels);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  Context &context;
  std::vector<Name> names;
  std::vector<SliceName> slices;
  std::vector<std::pair<std::string, Record>> recordNames;
  std::vector<std::string> levels;
};

std::string indented(const std::string &text);
/// A line, with \p body indented below it.
std::string withBody(const std::string &line, const std::string &body);

//===-- Weights.cpp --===//

Statement chooseStatement(Context &context, bool mayNest, bool isUniform);
Expression chooseExpression(Context &context);
/// Whether the program has the feature. Asked once for each program.
bool chooseFeature(Context &context, Feature feature);

//===-- Expressions.cpp --===//

Type anyInteger(Context &context);
Type anyScalar(Context &context);
Type anyType(Context &context); ///< includes vectors, if the program has them
/// A literal of \p type.
std::string constant(Context &context, Type type);
std::string number(Type type, int value);
std::string cast(Context &context, const std::string &text, Type from, Type to);
std::string leaf(Context &context, Type type);
std::string value(Context &context, Type type, int depth);
/// An operation that commutes, or a difference.
std::string commuting(Context &context, Type type, const std::string &a, const std::string &op,
                      const std::string &b);
/// An i32 expression that is uniform.
std::string uniformValue(Context &context);
/// A small whole number. Sums of such floats in a group are exact in any order.
std::string smallNumber(Context &context, Type type);
/// An i64 expression for a position of the work-item or a size of the launch.
std::string launchSize(Context &context);
std::string minMax(Context &context, Type type, int depth);

//===-- Conditions.cpp --===//

std::string compare(Context &context, int depth);
std::string condition(Context &context, int depth);

//===-- MathExpressions.cpp, Vectors.cpp, Warps.cpp --===//

std::string mathFunction(Context &context, Type type, int depth);
/// The bits of a value of another type.
std::string reinterpreted(Context &context, Type type, int depth);
std::string vectorValue(Context &context, Type type, int depth);
std::string laneOfVector(Context &context, Type type, int depth);
std::string warpOperation(Context &context, Type type, int depth);
std::string vote(Context &context, int depth);

//===-- Functions.cpp --===//

std::string makeFunction(Context &context);
std::string call(Context &context, Type type, int depth);
/// A variable with the result of a function.
std::string callStatement(Context &context);

//===-- Constants.cpp --===//

/// Functions, constants that call them, and the names of these constants.
std::string makeConstants(Context &context);

//===-- Places.cpp --===//

/// An i64 expression of values that the launch determines.
std::string plain(Context &context, int depth);
std::string plainLeaf(Context &context);
/// An index that is likely to be in bounds. In programs that must not fault it is always in bounds.
std::string index(Context &context, const SliceName &slice, unsigned axis);
std::string extent(Context &context, const SliceName &slice, unsigned axis);
std::string element(Context &context, const SliceName &slice, const std::vector<std::string> &at);
std::string load(Context &context, Type type);
/// The parameter, or null.
const Parameter *find(const Context &context, const std::string &name);
std::vector<SliceName> readable(const Context &context);

//===-- Edges.cpp --===//

/// A slice of floats at which results of rounding and of min and max differ.
void addEdgeParameter(Context &context);
std::string edgeStatement(Context &context);
/// Several ones.
std::string edgeStatements(Context &context);
std::string edgeCondition(Context &context);

//===-- Printing.cpp --===//

std::string printStatement(Context &context);

//===-- Generics.cpp --===//

/// Makes the kernel generic: its body may use the constants N and C and the condition B.
void addGenericParameters(Context &context);
/// The kernel's text with a type parameter in place of many names of one type.
std::string withTypeParameter(Context &context, const std::string &text);
/// The parameters in brackets, or nothing if the kernel is not generic.
std::string genericParameters(Context &context);

//===-- Enums.cpp --===//

/// Parameters of the prelude's enum: a number, a slice, and a slice with an element for each
/// work-item, if \p hasOwn.
void addEnumParameters(Context &context, bool hasOwn);
/// An expression of the prelude's enum.
std::string level(Context &context, int depth);
/// A number that depends on one.
std::string numberOfLevel(Context &context, Type type, int depth);
std::string levelStatement(Context &context, const Place &place);

//===-- RecordTypes.cpp --===//

/// Makes a struct that its methods and variables use.
std::string makeRecord(Context &context);
/// Makes a struct of scalars for elements of a slice. Sets \p record.
std::string makeElementStruct(Context &context, Record &record);

//===-- Statements.cpp, Accesses.cpp, Records.cpp --===//

std::string block(Context &context, const Place &place, int most);
Name declare(Context &context, Type type, bool isMutable, bool isUniform = false);
std::string declaration(Context &context);
std::string assignment(Context &context);
std::string accessAt(Context &context, const SliceName &slice, const std::vector<std::string> &at);
std::string access(Context &context);
std::string storeTotal(Context &context);
/// Accesses to one slice, each at an index below the minimum or maximum of several bounds.
std::string bounded(Context &context);
std::string ownArray(Context &context);
std::string ownRun(Context &context);
/// A store to the work-item's element of `z`, whose index is computed where the store is.
std::string flatStore(Context &context);
std::string wideAccess(Context &context);
std::string laneAssignment(Context &context);
std::string atomicUpdate(Context &context);
std::string recordStatement(Context &context);
/// Accesses to the work-item's element of a slice of structs.
std::string structElement(Context &context);
/// A slice of dynamic shared memory that may not be there. No element is accessed.
std::string dynamicShared(Context &context);
std::string pairStatement(Context &context);
/// An assignment of a tuple to places, which may be the same ones.
std::string tupleAssignment(Context &context, bool inKernel);

/// A place that may be assigned, and its type. The place is _ if there is none.
std::pair<std::string, Type> anyPlace(Context &context, bool inKernel);

//===-- HeldSlices.cpp --===//

/// Parameters of the kernel, of which at least one is a slice, that are the fields of one struct.
struct HeldParameters {
  std::size_t first = 0, last = 0; ///< those from `first` to the one before `last`
  std::string declaration;         ///< of the struct
  std::string parameter;           ///< in place of those of the fields
  std::string names;               ///< the first statements of the kernel, which name the fields
};
/// Nothing if the program has no such struct.
std::optional<HeldParameters> holdParameters(Context &context);
/// An array of two slices. Later statements use one of its elements as a slice.
std::string rowsStatement(Context &context);

//===-- References.cpp --===//

std::string referenceStatement(Context &context, bool inKernel);

//===-- ControlFlow.cpp, Loops.cpp --===//

Place inside(Place place, bool isUniform);
/// The position inside a loop. If the loop is uniform, no work-item may leave it alone.
Place inLoop(const Place &place, bool isUniform);
std::optional<std::string> exitAt(Context &context, const Place &place);
std::string leaving(Context &context, const Place &place);
std::string branch(Context &context, const Place &place);
std::string matching(Context &context, const Place &place);
std::string guarded(Context &context, const Place &place);
std::string part(Context &context, const Place &place);
std::string forLoop(Context &context, const Place &place);
std::string whileLoop(Context &context, const Place &place);
std::string carryingLoop(Context &context, const Place &place);
std::string elementLoop(Context &context, const Place &place);
/// A loop whose bounds are in memory, and whose variable is an index.
std::string memoryRange(Context &context, const Place &place);
/// A loop whose checks are all in its condition. The body is empty or leaves the loop.
std::string emptyLoop(Context &context, const Place &place);
/// A loop that counts down in its condition. Its body is empty.
std::string countedLoop(Context &context);

//===-- Groups.cpp --===//

/// A collective of the group.
std::string groupStep(Context &context);
/// Grid barriers at the end of a kernel that has the parameter g.
std::string gridSteps(Context &context);

} // namespace spl::generator

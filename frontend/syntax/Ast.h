// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of one file, as written: no types, no meaning. Nodes live in the Arena of their
// File and are never freed one by one; ranges and names point into the SourceManager's text.
// Later phases read it and never change it.
#pragma once

#include "frontend/diag/Source.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"
#include <optional>

namespace spl::syntax {

using diag::SourceRange;
using llvm::ArrayRef;
using llvm::StringRef;

struct Identifier {
  StringRef name;
  SourceRange range;
};

//===-- Types --===//

struct Expr;

/// A type as written: a name (a scalar, a vector f32x4, a struct, an enum, a type parameter), a slice
/// &[T, rank] or &mut [T, rank], an array [T; N], or a tuple (T, U).
struct TypeExpr {
  enum class Kind : uint8_t {
    Named,
    Slice,
    Array,
    Tuple,
    Error, ///< what could not be parsed; already reported
  };
  Kind kind;
  SourceRange range;
  StringRef name;                       ///< Named
  const TypeExpr *element = nullptr;    ///< Slice, Array
  bool isMut = false;                   ///< Slice
  unsigned rank = 1;                    ///< Slice
  const Expr *length = nullptr;         ///< Array: a constant expression
  ArrayRef<const TypeExpr *> elements;  ///< Tuple: two or more
};

//===-- Expressions --===//

enum class UnaryOp : uint8_t {
#define UNARY(Id, Spelling) Id,
#include "frontend/syntax/Operators.def"
};
enum class BinaryOp : uint8_t {
#define BINARY(Id, Spelling, Token, Precedence) Id,
#include "frontend/syntax/Operators.def"
};
/// The operator's spelling in the source: "+", "<<", "and" ...
StringRef spelling(BinaryOp op);
StringRef spelling(UnaryOp op);

/// Bounds on what the parser lets through, so that later phases may recurse.
inline constexpr unsigned maxExpressionHeight = 1000; ///< a + b + c ... adds one a step
inline constexpr unsigned maxNesting = 256; ///< brackets and operands in each other; blocks

/// Makes llvm::isa, cast and dyn_cast work on a node.
#define SPL_SYNTAX_NODE(Base, Id)                                                                  \
  static constexpr Kind nodeKind = Kind::Id;                                                       \
  static bool classof(const Base *node) { return node->kind == nodeKind; }

struct Expr {
  enum class Kind : uint8_t {
    Int,
    Float,
    Bool,
    Name,
    Unary,
    Binary,
    CompareChain,
    Conditional,
    Cast,
    Call,
    Index,
    Range,
    Member,
    Array,
    Tuple,
    PlaceRef,
    Error, ///< what could not be parsed; already reported, so later phases stay silent about it
  };
  Kind kind;
  /// Of the tree below, at most maxExpressionHeight: recursion over a tree is safe.
  uint16_t height = 1;
  SourceRange range;
  Expr(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

struct IntExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Int)
  uint64_t value;   ///< a literal beyond 64 bits is an error of the lexer
  StringRef suffix; ///< "u32", or empty
};
struct FloatExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Float)
  StringRef digits; ///< without underscores and suffix, as APFloat reads it
  StringRef suffix; ///< "f64", or empty
};
struct BoolExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Bool)
  bool value;
};
struct NameExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Name)
  StringRef name;
};
struct UnaryExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Unary)
  UnaryOp op;
  const Expr *operand;
};
struct BinaryExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Binary)
  BinaryOp op;
  SourceRange opRange;
  const Expr *lhs, *rhs;
};
/// a < b <= c: two or more comparisons; each operand is evaluated once.
struct CompareChainExpr : Expr {
  SPL_SYNTAX_NODE(Expr, CompareChain)
  ArrayRef<const Expr *> operands;
  ArrayRef<BinaryOp> ops;
};
/// then if condition else other
struct ConditionalExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Conditional)
  const Expr *condition, *then, *other;
};
struct CastExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Cast)
  const Expr *operand;
  const TypeExpr *type;
};
struct Argument {
  std::optional<Identifier> name;
  const Expr *value;
};
struct CallExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Call)
  const Expr *callee;
  ArrayRef<Argument> arguments;
};
/// base[indices]: an element, a row, a sub-slice (an index is a RangeExpr), a lane; or the arguments
/// of a generic, f[f32, 16], gpu.shared[f32]: sema reads those expressions as types.
struct IndexExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Index)
  const Expr *base;
  ArrayRef<const Expr *> indices;
};
/// i..j, i.., ..j, only as an index; a side left out is null.
struct RangeExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Range)
  const Expr *lower, *upper;
};
/// base.member: gpu.global_id, a.len, math.PI, Level.High, p.pos, v.x; t.0 of a tuple
struct MemberExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Member)
  const Expr *base;
  Identifier member;
};
/// [a, b, c], or [value; count] with a constant count
struct ArrayExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Array)
  ArrayRef<const Expr *> elements; ///< with a count: the one value
  const Expr *count;               ///< or null
};
/// (a, b): two or more
struct TupleExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Tuple)
  ArrayRef<const Expr *> elements;
};
/// &place, &mut place: the first argument of an atomic
struct PlaceRefExpr : Expr {
  SPL_SYNTAX_NODE(Expr, PlaceRef)
  bool isMut;
  const Expr *place;
};
struct ErrorExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Error)
};

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t {
    Let,
    LetTuple,
    Assign,
    Expr,
    If,
    While,
    For,
    ForEach,
    Match,
    Break,
    Continue,
    Return,
    Pass,
    Print,
    Assert,
    Error, ///< already reported
  };
  Kind kind;
  SourceRange range; ///< for compound statements, the header up to the colon
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

using Block = ArrayRef<const Stmt *>;

struct LetStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Let)
  bool isVar;
  Identifier name;
  const TypeExpr *type; ///< or null
  const Expr *value;
};
/// val (q, r) = e; a name '_' is not declared
struct LetTupleStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, LetTuple)
  bool isVar;
  ArrayRef<Identifier> names;
  const Expr *value;
};
/// target = value, or target op= value
struct AssignStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Assign)
  const Expr *target;
  std::optional<BinaryOp> op;
  SourceRange opRange;
  const Expr *value;
};
struct ExprStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Expr)
  const Expr *value;
};
struct IfArm {
  const Expr *condition;
  Block body;
};
/// if, elifs, else: arms in order; hasElse tells an empty else from none
struct IfStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, If)
  ArrayRef<IfArm> arms;
  bool hasElse;
  Block otherwise;
};
struct WhileStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, While)
  const Expr *condition;
  Block body;
};
/// What a for asks of unrolling: nothing, all rounds, or a constant number of them at a time.
struct Unroll {
  SourceRange range;            ///< invalid where nothing was asked
  const Expr *factor = nullptr; ///< or null: all rounds
};
/// for variable in lower..upper step s:, lower..=upper
struct ForStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, For)
  Identifier variable;
  const Expr *lower, *upper;
  bool isInclusive;
  const Expr *step; ///< or null
  Unroll unroll;
  Block body;
};
/// for variable in iterable: an array, a slice, or a call of gpu.grid_stride
struct ForEachStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, ForEach)
  Identifier variable;
  const Expr *iterable;
  Unroll unroll;
  Block body;
};
/// One of the alternatives after case: value, lower..=upper, or _ (all null).
struct Pattern {
  SourceRange range;
  const Expr *value = nullptr;
  const Expr *lower = nullptr, *upper = nullptr;
};
struct MatchArm {
  SourceRange range; ///< from case to the colon
  ArrayRef<Pattern> patterns;
  Block body;
};
struct MatchStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Match)
  const Expr *subject;
  ArrayRef<MatchArm> arms;
};
struct BreakStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Break)
};
struct ContinueStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Continue)
};
struct ReturnStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Return)
  const Expr *value; /* or null */
};
struct PassStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Pass)
};
/// A piece of "i = {i:.3}": its text up to a value, then the value (null at the end).
struct FormatPiece {
  StringRef text; ///< braces and escapes already resolved
  const Expr *value = nullptr;
  std::optional<unsigned> precision; ///< digits after the point
};
struct PrintStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Print)
  ArrayRef<FormatPiece> format;
};
struct AssertStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Assert)
  const Expr *condition;
  StringRef conditionText;      ///< as written, for the message without a format
  ArrayRef<FormatPiece> format; ///< empty where none was given
};
struct ErrorStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Error)
};

#undef SPL_SYNTAX_NODE

//===-- Items --===//

struct Parameter {
  Identifier name;
  const TypeExpr *type;          ///< null for self
  const Expr *byDefault = nullptr; ///< or null
  bool isAlias = false;          ///< #[alias]
};

/// [T: Num, const N: i64]
struct GenericParameter {
  Identifier name;
  const TypeExpr *constType = nullptr; ///< of a const; null for a type
  std::optional<Identifier> bound;     ///< of a type: Num, Int, Float, Signed
};

/// What #[...] before a function says.
struct FunctionAttributes {
  SourceRange range;                 ///< of the first, invalid where there is none
  bool isGpu = false;                ///< #[gpu]
  ArrayRef<const Expr *> block = {}; ///< #[gpu(block: [x, y, z])]: one to three constants, or empty
  const Expr *minBlocks = nullptr;   ///< #[gpu(min_blocks: n)], or null
  bool isInline = false, isNoinline = false, isFastMath = false, isUnchecked = false;
};

struct FunctionItem {
  Identifier name;
  FunctionAttributes attributes;
  /// The header has a mistake, already reported: parameters may be missing, so neither calls nor
  /// names inside the body can be judged.
  bool isBroken = false;
  SourceRange range; ///< from fn to the colon
  ArrayRef<GenericParameter> generics;
  bool hasSelf = false; ///< a method; self is not among the parameters
  ArrayRef<Parameter> parameters;
  const TypeExpr *result = nullptr; ///< or null: returns nothing
  StringRef doc;                    ///< the docstring's text, or empty
  Block body;

  bool isKernel() const { return attributes.isGpu; }
};

/// use helpers.{clamp01, Vec}, use helpers.clamp01
struct UseItem {
  SourceRange range;
  ArrayRef<Identifier> path;  ///< of the file, without .spl: folders and its name
  ArrayRef<Identifier> names; ///< what is taken from it
};

/// const NAME: T = e; the type may be left out
struct ConstItem {
  Identifier name;
  const TypeExpr *type; ///< or null
  const Expr *value;
};

struct Field {
  Identifier name;
  const TypeExpr *type;
  const Expr *byDefault; ///< or null
};
struct StructItem {
  Identifier name;
  bool isBroken = false; ///< as a function's
  StringRef doc;
  ArrayRef<Field> fields;
  ArrayRef<const FunctionItem *> methods;
};

struct EnumMember {
  Identifier name;
  const Expr *value; ///< a constant, or null: one more than the one before
};
struct EnumItem {
  Identifier name;
  bool isBroken = false; ///< as a function's
  StringRef doc;
  ArrayRef<EnumMember> members;
};

/// One parsed file. Owns its nodes.
struct File {
  llvm::BumpPtrAllocator arena;
  StringRef name;
  StringRef doc;
  ArrayRef<UseItem> uses;
  ArrayRef<const ConstItem *> constants;
  ArrayRef<const StructItem *> structs;
  ArrayRef<const EnumItem *> enums;
  ArrayRef<const FunctionItem *> functions;
  /// Names of items that could not be parsed, which was reported: they exist for the user, so later
  /// phases are silent about them.
  ArrayRef<StringRef> skippedNames;
};

} // namespace spl::syntax

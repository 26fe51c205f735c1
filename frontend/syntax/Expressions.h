// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and expressions of the syntax tree (see Ast.h).
#pragma once

#include "frontend/diag/Source.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/ErrorHandling.h"
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

/// A type as written. It is a name (of a scalar, a vector f32x4, a struct, an enum or a type
/// parameter), a generic struct with its arguments Pair[T], a slice &[T, rank] or &mut [T, rank], a
/// reference &T or &mut T, an array [T; N], or a tuple (T, U).
struct TypeExpr {
  enum class Kind : uint8_t {
    Named,
    Slice,
    Reference,
    Array,
    Tuple,
    Error, ///< text that could not be parsed; the error is reported
  };
  Kind kind;
  SourceRange range;
  StringRef name = {}; ///< Named
  /// Named: those in brackets after the name, types and constants; see IndexExpr.
  ArrayRef<const Expr *> arguments = {};
  const TypeExpr *element = nullptr;        ///< Slice, Reference, Array
  bool isMut = false;                       ///< Slice, Reference
  unsigned rank = 1;                        ///< Slice
  const Expr *length = nullptr;             ///< Array: a constant expression
  ArrayRef<const TypeExpr *> elements = {}; ///< Tuple: two or more
  /// The height of the tree with its expressions. At most maxExpressionHeight.
  uint16_t height = 1;
};

//===-- Expressions --===//

enum class UnaryOp : uint8_t {
#define UNARY(Id, Spelling) Id,
#include "frontend/syntax/Operators.def"
};
enum class BinaryOp : uint8_t {
#define BINARY(Id, Spelling, Token, Precedence, Family) Id,
#include "frontend/syntax/Operators.def"
};
/// The operator's spelling in the source: "+", "<<", "and" ...
StringRef spelling(BinaryOp op);

/// The family of an operator. Its operators have the same rules for the types of operands and
/// results.
enum class OperatorFamily : uint8_t { Arithmetic, Shift, Bits, Equality, Order, Logical };
constexpr OperatorFamily familyOf(BinaryOp op) {
  switch (op) {
#define BINARY(Id, Spelling, Token, Precedence, Family)                                            \
  case BinaryOp::Id:                                                                               \
    return OperatorFamily::Family;
#include "frontend/syntax/Operators.def"
  }
  llvm_unreachable("every operator is in the table");
}
constexpr bool isShift(BinaryOp op) { return familyOf(op) == OperatorFamily::Shift; }
constexpr bool isComparison(BinaryOp op) {
  return familyOf(op) == OperatorFamily::Equality || familyOf(op) == OperatorFamily::Order;
}
StringRef spelling(UnaryOp op);

/// Limits that the parser enforces, so that later phases may recurse.
inline constexpr unsigned maxExpressionHeight = 1000; ///< each operator in a + b + c + ... adds one
inline constexpr unsigned maxNesting = 256;           ///< maximum of brackets, operands, blocks

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
    Comprehension,
    PlaceRef,
    TypeTest,
    String,
    Error, ///< text that could not be parsed; later phases report nothing about it
  };
  Kind kind;
  /// The height of the tree. At most maxExpressionHeight, so recursion over a tree is safe.
  uint16_t height = 1;
  SourceRange range;
  Expr(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

struct IntExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Int)
  uint64_t value;   ///< the lexer reports literals beyond 64 bits
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
/// A name, or the word self.
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
/// `then if condition else other`.
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
/// base[indices]. This is an element, a row or a lane. If an index is a RangeExpr, it is a
/// sub-slice. It may also be the arguments of a generic, as in f[f32, 16] and gpu.shared[f32]; sema
/// reads these indices as types.
struct IndexExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Index)
  const Expr *base;
  ArrayRef<const Expr *> indices;
};
/// i..j, i.. and ..j, which are valid only as an index. An omitted bound is null.
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
  ArrayRef<const Expr *> elements; ///< the one value if there is a count
  const Expr *count;               ///< or null
};
/// [element for variable in lower..upper], or lower..=upper
struct ComprehensionExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Comprehension)
  const Expr *element;
  Identifier variable;
  const Expr *lower, *upper;
  bool isInclusive;
};
/// (a, b): two or more
struct TupleExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Tuple)
  ArrayRef<const Expr *> elements;
};
/// &place and &mut place: an argument of an atomic, or for a reference
struct PlaceRefExpr : Expr {
  SPL_SYNTAX_NODE(Expr, PlaceRef)
  bool isMut;
  const Expr *place;
};
/// T is Float, or T is f32
struct TypeTestExpr : Expr {
  SPL_SYNTAX_NODE(Expr, TypeTest)
  const Expr *subject;
  const TypeExpr *type; ///< or the name of a bound
};
/// "text": an argument of gpu.trap
struct StringExpr : Expr {
  SPL_SYNTAX_NODE(Expr, String)
  StringRef text; ///< escapes already resolved
};
struct ErrorExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Error)
};

} // namespace spl::syntax

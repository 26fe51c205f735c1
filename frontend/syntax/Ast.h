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

/// A type as written: a scalar's name, or a slice &[T, rank] / &mut [T, rank].
struct TypeExpr {
  enum class Kind : uint8_t {
    Named,
    Slice,
    Error, ///< what could not be parsed; already reported
  };
  Kind kind;
  SourceRange range;
  StringRef name;                    ///< Named
  const TypeExpr *element = nullptr; ///< Slice
  bool isMut = false;                ///< Slice
  unsigned rank = 1;                 ///< Slice
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
    Member,
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
struct IndexExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Index)
  const Expr *base;
  ArrayRef<const Expr *> indices;
};
/// base.member: gpu.global_id, a.len, math.PI
struct MemberExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Member)
  const Expr *base;
  Identifier member;
};
struct ErrorExpr : Expr {
  SPL_SYNTAX_NODE(Expr, Error)
};

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t {
    Let,
    Assign,
    Expr,
    If,
    While,
    For,
    Break,
    Continue,
    Return,
    Pass,
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
/// for variable in lower..upper:
struct ForStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, For)
  Identifier variable;
  const Expr *lower, *upper;
  Block body;
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
struct ErrorStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Error)
};

#undef SPL_SYNTAX_NODE

//===-- Items --===//

struct Parameter {
  Identifier name;
  const TypeExpr *type;
};

struct FunctionItem {
  Identifier name;
  bool isKernel = false; ///< #[gpu]
  /// The header has a mistake or something not supported, already reported: parameters may be
  /// missing, so neither calls nor names inside the body can be judged.
  bool isBroken = false;
  SourceRange range; ///< from fn to the colon
  ArrayRef<Parameter> parameters;
  const TypeExpr *result = nullptr; ///< or null: returns nothing
  StringRef doc;                    ///< the docstring's text, or empty
  Block body;
};

/// One parsed file. Owns its nodes.
struct File {
  llvm::BumpPtrAllocator arena;
  StringRef name;
  StringRef doc;
  ArrayRef<const FunctionItem *> functions;
  /// Names of items that were skipped after a report (a struct, a generic function): they exist for
  /// the user, so later phases are silent about them.
  ArrayRef<StringRef> skippedNames;
};

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of the syntax tree (see Ast.h).
#pragma once

#include "frontend/syntax/Expressions.h"

namespace spl::syntax {

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
  SourceRange range; ///< the header up to the colon for statements with a block
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
/// if, elifs and else. `arms` are in order. hasElse distinguishes an empty else from a missing one.
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
  Identifier label = {}; ///< outer: while c:, or an empty name
};
/// The unrolling of a for: none, all rounds, or a constant number of rounds at a time.
struct Unroll {
  SourceRange range;            ///< invalid if there is none
  const Expr *factor = nullptr; ///< or null: all rounds
};
/// for variable in lower..upper step s:, lower..=upper, (lower..upper step s).reversed()
struct ForStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, For)
  Identifier variable;
  const Expr *lower, *upper;
  bool isInclusive;
  const Expr *step; ///< or null
  Unroll unroll;
  Block body;
  bool isReversed = false;
  Identifier label = {};
};
/// for variable in iterable: an array, a slice, or a call of gpu.grid_stride
struct ForEachStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, ForEach)
  Identifier variable;
  const Expr *iterable;
  Unroll unroll;
  Block body;
  Identifier label = {};
};
/// One of the alternatives after case: a value, a range lower..=upper, or _, for which all pointers
/// are null.
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
  bool isBroken; ///< arms that could not be parsed are missing
};
struct BreakStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Break)
  Identifier label; ///< of the loop; an empty name for the innermost one
};
struct ContinueStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Continue)
  Identifier label;
};
struct ReturnStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Return)
  const Expr *value; ///< or null
};
struct PassStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Pass)
};
/// A piece of "i = {i:.3}": the text up to a value, then the value. The value of the last piece is
/// null.
struct FormatPiece {
  StringRef text; ///< braces and escapes already resolved
  const Expr *value = nullptr;
  std::optional<unsigned> precision = {}; ///< digits after the point
};
struct PrintStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Print)
  ArrayRef<FormatPiece> format;
};
struct AssertStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Assert)
  const Expr *condition;
  /// The source of the condition, which is the message if there is no format.
  StringRef conditionText;
  ArrayRef<FormatPiece> format; ///< empty if there is none
};
struct ErrorStmt : Stmt {
  SPL_SYNTAX_NODE(Stmt, Error)
};

#undef SPL_SYNTAX_NODE

} // namespace spl::syntax

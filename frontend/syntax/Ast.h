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
  enum class Kind : uint8_t { Named, Slice };
  Kind kind;
  SourceRange range;
  StringRef name;               ///< Named
  const TypeExpr *element = nullptr; ///< Slice
  bool isMut = false;           ///< Slice
  unsigned rank = 1;            ///< Slice
};

//===-- Expressions --===//

enum class UnaryOp : uint8_t { Neg, BitNot, Not };
enum class BinaryOp : uint8_t {
  Add, Sub, Mul, Div, Rem, Pow, Shl, Shr, BitAnd, BitOr, BitXor,
  Eq, Ne, Lt, Le, Gt, Ge, And, Or,
};
/// The operator's spelling in the source: "+", "<<", "and" ...
StringRef spelling(BinaryOp op);
StringRef spelling(UnaryOp op);

struct Expr {
  enum class Kind : uint8_t {
    Int, Float, Bool, Name, Unary, Binary, CompareChain, Conditional, Cast, Call, Index, Member,
    Error, ///< what could not be parsed; already reported, so later phases stay silent about it
  };
  Kind kind;
  SourceRange range;
  Expr(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

struct IntExpr : Expr {
  uint64_t value;     ///< a literal beyond 64 bits is an error of the lexer
  StringRef suffix;   ///< "u32", or empty
};
struct FloatExpr : Expr {
  StringRef digits;   ///< without underscores and suffix, as APFloat reads it
  StringRef suffix;   ///< "f64", or empty
};
struct BoolExpr : Expr { bool value; };
struct NameExpr : Expr { StringRef name; };
struct UnaryExpr : Expr { UnaryOp op; const Expr *operand; };
struct BinaryExpr : Expr { BinaryOp op; SourceRange opRange; const Expr *lhs, *rhs; };
/// a < b <= c: two or more comparisons; each operand is evaluated once.
struct CompareChainExpr : Expr { ArrayRef<const Expr *> operands; ArrayRef<BinaryOp> ops; };
/// then if condition else other
struct ConditionalExpr : Expr { const Expr *condition, *then, *other; };
struct CastExpr : Expr { const Expr *operand; const TypeExpr *type; };
struct Argument { std::optional<Identifier> name; const Expr *value; };
struct CallExpr : Expr { const Expr *callee; ArrayRef<Argument> arguments; };
struct IndexExpr : Expr { const Expr *base; ArrayRef<const Expr *> indices; };
/// base.member: gpu.global_id, a.len, math.PI
struct MemberExpr : Expr { const Expr *base; Identifier member; };
struct ErrorExpr : Expr {};

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t {
    Let, Assign, Expr, If, While, For, Break, Continue, Return, Pass,
    Error, ///< already reported
  };
  Kind kind;
  SourceRange range; ///< for compound statements, the header up to the colon
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

using Block = ArrayRef<const Stmt *>;

struct LetStmt : Stmt { bool isVar; Identifier name; const TypeExpr *type; /* or null */ const Expr *value; };
/// target = value, or target op= value
struct AssignStmt : Stmt { const Expr *target; std::optional<BinaryOp> op; SourceRange opRange; const Expr *value; };
struct ExprStmt : Stmt { const Expr *value; };
struct IfArm { const Expr *condition; Block body; };
/// if, elifs, else: arms in order; hasElse tells an empty else from none
struct IfStmt : Stmt { ArrayRef<IfArm> arms; bool hasElse; Block otherwise; };
struct WhileStmt : Stmt { const Expr *condition; Block body; };
/// for variable in lower..upper:
struct ForStmt : Stmt { Identifier variable; const Expr *lower, *upper; Block body; };
struct BreakStmt : Stmt {};
struct ContinueStmt : Stmt {};
struct ReturnStmt : Stmt { const Expr *value; /* or null */ };
struct PassStmt : Stmt {};
struct ErrorStmt : Stmt {};

//===-- Items --===//

struct Parameter { Identifier name; const TypeExpr *type; };

struct FunctionItem {
  Identifier name;
  bool isKernel = false;        ///< #[gpu]
  SourceRange range;            ///< from fn to the colon
  ArrayRef<Parameter> parameters;
  const TypeExpr *result = nullptr; ///< or null: returns nothing
  StringRef doc;                ///< the docstring's text, or empty
  Block body;
};

/// One parsed file. Owns its nodes.
struct File {
  llvm::BumpPtrAllocator arena;
  StringRef name;
  StringRef doc;
  ArrayRef<const FunctionItem *> functions;
};

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sema makes of the syntax trees: a typed tree in which every name is resolved, every literal
// has its type, every implicit rule (literal inference, fusing of products, evaluation of places) is
// explicit. It holds only correct programs: sema gives none out when it reported an error. Nodes live
// in the Program's arena. mirgen reads it.
#pragma once

#include "frontend/diag/Source.h"
#include "frontend/sema/Type.h"
#include "frontend/syntax/Ast.h"
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
}

namespace spl::sema {

using diag::SourceRange;
using llvm::ArrayRef;
using llvm::StringRef;

struct Function;

/// A parameter, a val, a var or a loop's variable.
struct Local {
  StringRef name;
  Type type;
  SourceRange range;  ///< the name where it is declared
  bool isMutable;     ///< a var
};

//===-- Expressions --===//

struct Expr {
  enum class Kind : uint8_t {
    Constant, Local, PlaceValue, Unary, Binary, Logical, CompareChain, Conditional, Cast, Fma, Index,
    Extent, Intrinsic, Call,
  };
  Kind kind;
  Type type;
  SourceRange range;
  Expr(Kind kind, Type type, SourceRange range) : kind(kind), type(type), range(range) {}
};

/// The base of the nodes of one kind; llvm::isa, cast and dyn_cast work on them.
template <Expr::Kind K> struct ExprOf : Expr {
  ExprOf(Type type, SourceRange range) : Expr(K, type, range) {}
  static bool classof(const Expr *expr) { return expr->kind == K; }
};

/// A literal, already in its type: integers (and bool as one bit) or a float's value.
struct ConstantExpr : ExprOf<Expr::Kind::Constant> {
  bool isFloat;
  llvm::APInt intValue;     ///< width is type.bits()
  llvm::APFloat floatValue; ///< in the semantics of the type
};
struct LocalExpr : ExprOf<Expr::Kind::Local> { const Local *local; };
/// The value that the place of the enclosing compound assignment had: a[i] += 1 is
/// Assign{Index{a, i}, Binary{Add, PlaceValue, 1}}. The place itself is evaluated once.
struct PlaceValueExpr : ExprOf<Expr::Kind::PlaceValue> {};
/// Neg, BitNot (integers), Not (bool).
struct UnaryExpr : ExprOf<Expr::Kind::Unary> { syntax::UnaryOp op; const Expr *operand; };
/// Arithmetic, bit operations, shifts and one comparison. Operands have one type (a shift's count
/// may have another integer type); comparisons give bool. Pow on floats is an IntrinsicExpr.
struct BinaryExpr : ExprOf<Expr::Kind::Binary> { syntax::BinaryOp op; const Expr *lhs, *rhs; };
/// and, or: rhs is evaluated only where it is needed.
struct LogicalExpr : ExprOf<Expr::Kind::Logical> { bool isAnd; const Expr *lhs, *rhs; };
/// Two comparisons or more; each operand once, left to right, stopping at the first false.
struct CompareChainExpr : ExprOf<Expr::Kind::CompareChain> { ArrayRef<const Expr *> operands; ArrayRef<syntax::BinaryOp> ops; };
struct ConditionalExpr : ExprOf<Expr::Kind::Conditional> { const Expr *condition, *then, *other; };
/// An explicit `as`, between scalars; also &mut [T] given where &[T] is wanted.
struct CastExpr : ExprOf<Expr::Kind::Cast> { const Expr *operand; };
/// A fused product: (negateProduct ? -(a*b) : a*b) + (negateAddend ? -c : c), rounded once.
/// Operands are evaluated in the order of the source: c first where addendFirst.
struct FmaExpr : ExprOf<Expr::Kind::Fma> { const Expr *a, *b, *c; bool negateProduct, negateAddend, addendFirst; };
/// slice[index]; the index has any integer type. As the target of an Assign it is a place.
struct IndexExpr : ExprOf<Expr::Kind::Index> { const Expr *slice; const Expr *index; };
/// a.len() and a.dim(axis), i64.
struct ExtentExpr : ExprOf<Expr::Kind::Extent> { const Expr *slice; unsigned axis; };
/// A call of gpu.* or math.*. axis is set where the row's signature has one.
struct IntrinsicExpr : ExprOf<Expr::Kind::Intrinsic> { intrinsics::Id id; ArrayRef<const Expr *> arguments; unsigned axis; };
struct CallExpr : ExprOf<Expr::Kind::Call> { const Function *callee; ArrayRef<const Expr *> arguments; };

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t { Let, Assign, Expr, If, While, For, Break, Continue, Return };
  Kind kind;
  SourceRange range;
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

template <Stmt::Kind K> struct StmtOf : Stmt {
  StmtOf(SourceRange range) : Stmt(K, range) {}
  static bool classof(const Stmt *stmt) { return stmt->kind == K; }
};

/// What cannot be reached (after a return, a break, an endless loop) is not in it.
using Block = ArrayRef<const Stmt *>;

struct LetStmt : StmtOf<Stmt::Kind::Let> { const Local *local; const Expr *value; };
/// place is a LocalExpr (a var) or an IndexExpr.
struct AssignStmt : StmtOf<Stmt::Kind::Assign> { const Expr *place; const Expr *value; };
struct ExprStmt : StmtOf<Stmt::Kind::Expr> { const Expr *value; };
struct IfArm { const Expr *condition; Block body; };
struct IfStmt : StmtOf<Stmt::Kind::If> { ArrayRef<IfArm> arms; Block otherwise; };
struct WhileStmt : StmtOf<Stmt::Kind::While> { const Expr *condition; Block body; };
/// variable runs from lower up to, not including, upper; both of its type, evaluated once.
struct ForStmt : StmtOf<Stmt::Kind::For> { const Local *variable; const Expr *lower, *upper; Block body; };
struct BreakStmt : StmtOf<Stmt::Kind::Break> {};
struct ContinueStmt : StmtOf<Stmt::Kind::Continue> {};
struct ReturnStmt : StmtOf<Stmt::Kind::Return> { const Expr *value; /* or null */ };

//===-- Functions --===//

struct Function {
  StringRef name;
  bool isKernel;
  SourceRange range; ///< the name where it is declared
  ArrayRef<const Local *> parameters;
  Type result;       ///< Unit where there is none
  Block body;        ///< filled after all signatures are known
};

/// A checked program. Functions stand in the order of the source; there is no recursion.
struct Program {
  llvm::BumpPtrAllocator arena;
  TypeContext types;
  ArrayRef<const Function *> functions;

  /// The typed tree as text, every implicit rule spelled out; what tests read.
  void dump(llvm::raw_ostream &os) const;
};

} // namespace spl::sema

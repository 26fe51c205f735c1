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

/// A literal, already in its type: integers (and bool as one bit) or a float's value.
struct ConstantExpr : Expr {
  bool isFloat;
  llvm::APInt intValue;     ///< width is type.bits()
  llvm::APFloat floatValue; ///< in the semantics of the type
};
struct LocalExpr : Expr { const Local *local; };
/// The value that the place of the enclosing compound assignment had: a[i] += 1 is
/// Assign{Index{a, i}, Binary{Add, PlaceValue, 1}}. The place itself is evaluated once.
struct PlaceValueExpr : Expr {};
/// Neg, BitNot (integers), Not (bool).
struct UnaryExpr : Expr { syntax::UnaryOp op; const Expr *operand; };
/// Arithmetic, bit operations, shifts and one comparison. Operands have one type (a shift's count
/// may have another integer type); comparisons give bool. Pow on floats is an IntrinsicExpr.
struct BinaryExpr : Expr { syntax::BinaryOp op; const Expr *lhs, *rhs; };
/// and, or: rhs is evaluated only where it is needed.
struct LogicalExpr : Expr { bool isAnd; const Expr *lhs, *rhs; };
/// Two comparisons or more; each operand once, left to right, stopping at the first false.
struct CompareChainExpr : Expr { ArrayRef<const Expr *> operands; ArrayRef<syntax::BinaryOp> ops; };
struct ConditionalExpr : Expr { const Expr *condition, *then, *other; };
/// An explicit `as`, between scalars; also &mut [T] given where &[T] is wanted.
struct CastExpr : Expr { const Expr *operand; };
/// A fused product: (negateProduct ? -(a*b) : a*b) + (negateAddend ? -c : c), rounded once.
/// Operands are evaluated in the order of the source: c first where addendFirst.
struct FmaExpr : Expr { const Expr *a, *b, *c; bool negateProduct, negateAddend, addendFirst; };
/// slice[index]; the index has any integer type. As the target of an Assign it is a place.
struct IndexExpr : Expr { const Expr *slice; const Expr *index; };
/// a.len() and a.dim(axis), i64.
struct ExtentExpr : Expr { const Expr *slice; unsigned axis; };
/// A call of gpu.* or math.*. axis is set where the row's signature has one.
struct IntrinsicExpr : Expr { intrinsics::Id id; ArrayRef<const Expr *> arguments; unsigned axis; };
struct CallExpr : Expr { const Function *callee; ArrayRef<const Expr *> arguments; };

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t { Let, Assign, Expr, If, While, For, Break, Continue, Return };
  Kind kind;
  SourceRange range;
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

using Block = ArrayRef<const Stmt *>;

struct LetStmt : Stmt { const Local *local; const Expr *value; };
/// place is a LocalExpr (a var) or an IndexExpr.
struct AssignStmt : Stmt { const Expr *place; const Expr *value; };
struct ExprStmt : Stmt { const Expr *value; };
struct IfArm { const Expr *condition; Block body; };
struct IfStmt : Stmt { ArrayRef<IfArm> arms; Block otherwise; };
struct WhileStmt : Stmt { const Expr *condition; Block body; };
/// variable runs from lower up to, not including, upper; both of its type, evaluated once.
struct ForStmt : Stmt { const Local *variable; const Expr *lower, *upper; Block body; };
struct BreakStmt : Stmt {};
struct ContinueStmt : Stmt {};
struct ReturnStmt : Stmt { const Expr *value; /* or null */ };

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
};

} // namespace spl::sema

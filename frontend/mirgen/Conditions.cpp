// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that evaluate only what they need: and, or, chains of comparisons, conditionals. What
// is cheap is evaluated anyway, since a select costs less than a branch.
#include "frontend/mirgen/Comparisons.h"
#include "frontend/mirgen/ControlFlow.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

//===-- What is cheap --===//

static bool isCheap(const sema::Expr &expr, int &budget);

static bool areCheap(ArrayRef<const sema::Expr *> exprs, int &budget) {
  return llvm::all_of(exprs, [&](const sema::Expr *expr) { return isCheap(*expr, budget); });
}

static bool isCheapOperator(const sema::BinaryExpr &expr) {
  using Op = syntax::BinaryOp;
  // Division is slow, and on integers it can fault, as a power can.
  return expr.op != Op::Div && expr.op != Op::Rem && expr.op != Op::Pow;
}

static bool isCheap(const sema::Expr &expr, int &budget) {
  using Kind = sema::Expr::Kind;
  if (--budget < 0)
    return false;
  switch (expr.kind) {
  case Kind::Constant:
  case Kind::Local:
    return true;
  case Kind::Unary:
    return isCheap(*cast<sema::UnaryExpr>(&expr)->operand, budget);
  case Kind::Cast:
    return isCheap(*cast<sema::CastExpr>(&expr)->operand, budget);
  case Kind::Extent:
    return isCheap(*cast<sema::ExtentExpr>(&expr)->slice, budget);
  case Kind::Binary: {
    auto &binary = *cast<sema::BinaryExpr>(&expr);
    return isCheapOperator(binary) && areCheap({binary.lhs, binary.rhs}, budget);
  }
  case Kind::Logical: {
    auto &logical = *cast<sema::LogicalExpr>(&expr);
    return areCheap({logical.lhs, logical.rhs}, budget);
  }
  case Kind::CompareChain:
    return areCheap(cast<sema::CompareChainExpr>(&expr)->operands, budget);
  case Kind::Conditional: {
    auto &choice = *cast<sema::ConditionalExpr>(&expr);
    return areCheap({choice.condition, choice.then, choice.other}, budget);
  }
  case Kind::Fma: {
    auto &fma = *cast<sema::FmaExpr>(&expr);
    return areCheap({fma.a, fma.b, fma.c}, budget);
  }
  case Kind::Field: {
    auto &field = *cast<sema::FieldExpr>(&expr);
    return field.base->type.holdsSlices() && isCheap(*field.base, budget);
  }
  case Kind::PlaceValue: // may be a load
  case Kind::Index:
  case Kind::Subslice:
  case Kind::Reference:
  case Kind::Lane:
  case Kind::Atomic:
  case Kind::Shared:
  case Kind::SharedDyn:
  case Kind::Access:
  case Kind::Build:
  case Kind::ConstantData:
  case Kind::Intrinsic:
  case Kind::Call:
    return false;
  }
  llvm_unreachable("an expression has a kind");
}

bool spl::mirgen::isCheap(const sema::Expr &expr) {
  int budget = 8;
  return ::isCheap(expr, budget);
}

//===-- Choices --===//

ResultRange mirgen::emitChoice(FunctionContext &fn, Location location, Value condition,
                               TypeRange types, Arms then, Arms other) {
  auto branch = scf::IfOp::create(fn.builder, location, types, condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(fn.builder, location, then());
  fn.builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(fn.builder, location, other());
  return branch.getResults();
}

Value mirgen::emitLogical(FunctionContext &fn, const sema::LogicalExpr &expr) {
  Location location = fn.locationOf(expr);
  Value lhs = emitExpr(fn, *expr.lhs);
  if (isCheap(*expr.rhs)) {
    Value rhs = emitExpr(fn, *expr.rhs);
    return expr.isAnd ? fn.builder.createOrFold<arith::AndIOp>(location, lhs, rhs)
                      : fn.builder.createOrFold<arith::OrIOp>(location, lhs, rhs);
  }
  auto right = [&] { return SmallVector<Value, 2>{emitExpr(fn, *expr.rhs)}; };
  auto known = [&] { return SmallVector<Value, 2>{fn.boolean(!expr.isAnd, location)}; };
  if (expr.isAnd)
    return emitChoice(fn, location, lhs, fn.builder.getI1Type(), right, known)[0];
  return emitChoice(fn, location, lhs, fn.builder.getI1Type(), known, right)[0];
}

// One condition after the other, not one inside the other: a chain may be long. After a false one
// the operand that the next would look at stays what it was.
Value mirgen::emitCompareChain(FunctionContext &fn, const sema::CompareChainExpr &expr) {
  Location location = fn.locationOf(expr);
  sema::Type type = expr.operands.front()->type;
  Value lhs = emitExpr(fn, *expr.operands[0]);
  Value rhs = emitExpr(fn, *expr.operands[1]);
  Value holds = emitCompare(fn, expr.ops[0], type, location, lhs, rhs);
  for (size_t i = 1; i < expr.ops.size(); ++i) {
    const sema::Expr &operand = *expr.operands[i + 1];
    if (isCheap(operand)) {
      lhs = std::exchange(rhs, emitExpr(fn, operand));
      Value next = emitCompare(fn, expr.ops[i], type, location, lhs, rhs);
      holds = fn.builder.createOrFold<arith::AndIOp>(location, holds, next);
      continue;
    }
    Type types[] = {fn.builder.getI1Type(), rhs.getType()};
    unsigned count = i + 1 == expr.ops.size() ? 1 : 2; // nothing looks at the last operand again
    auto compare = [&] {
      Value next = emitExpr(fn, operand);
      SmallVector<Value, 2> values{emitCompare(fn, expr.ops[i], type, location, rhs, next), next};
      values.truncate(count);
      return values;
    };
    auto fail = [&] {
      SmallVector<Value, 2> values{fn.boolean(false, location), rhs};
      values.truncate(count);
      return values;
    };
    ResultRange results =
        emitChoice(fn, location, holds, ArrayRef(types).take_front(count), compare, fail);
    holds = results.front();
    rhs = results.back();
  }
  return holds;
}

Value mirgen::emitConditional(FunctionContext &fn, const sema::ConditionalExpr &expr) {
  Location location = fn.locationOf(expr);
  Value condition = emitExpr(fn, *expr.condition);
  if (isCheap(*expr.then) && isCheap(*expr.other)) {
    Value then = emitExpr(fn, *expr.then);
    Value other = emitExpr(fn, *expr.other);
    return fn.builder.createOrFold<arith::SelectOp>(location, condition, then, other);
  }
  return emitChoice(
      fn, location, condition, fn.module.type(expr.type),
      [&] { return SmallVector<Value, 2>{emitExpr(fn, *expr.then)}; },
      [&] { return SmallVector<Value, 2>{emitExpr(fn, *expr.other)}; })[0];
}

//===-- Negation --===//

Value mirgen::emitNegated(FunctionContext &fn, const sema::Expr &condition) {
  Location location = fn.locationOf(condition);
  if (auto *negation = dyn_cast<sema::UnaryExpr>(&condition))
    return emitExpr(fn, *negation->operand);
  if (auto *compare = dyn_cast<sema::BinaryExpr>(&condition);
      compare && syntax::isComparison(compare->op) && !compare->lhs->type.isFloat()) {
    Value lhs = emitExpr(fn, *compare->lhs);
    Value rhs = emitExpr(fn, *compare->rhs);
    return emitCompare(fn, comparisonOf(compare->op).opposite, compare->lhs->type, location, lhs,
                       rhs);
  }
  Value holds = emitExpr(fn, condition);
  return arith::XOrIOp::create(fn.builder, location, holds, fn.boolean(true, location));
}

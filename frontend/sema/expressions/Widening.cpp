// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Widening.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Operators.h"

namespace spl::sema {

using Op = syntax::BinaryOp;

//===-- Arithmetic that may wrap first --===//

/// Returns the first operation that may wrap, in the products of an expression and in the sums of
/// products. Sums without products are considered if `withSums` is set. Null if there is none.
static const BinaryExpr *findWrapping(const ValueRanges &ranges, const Expr &expr, bool withSums) {
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(&expr); unary && unary->op == syntax::UnaryOp::Neg)
    return findWrapping(ranges, *unary->operand, withSums);
  if (auto *conditional = llvm::dyn_cast<ConditionalExpr>(&expr)) {
    const BinaryExpr *then = findWrapping(ranges, *conditional->then, withSums);
    return then ? then : findWrapping(ranges, *conditional->other, withSums);
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(&expr);
  if (!binary)
    return nullptr;
  const bool isProduct = binary->op == Op::Mul || binary->op == Op::Pow;
  const bool isSum = binary->op == Op::Add || binary->op == Op::Sub;
  if (!isProduct && !isSum && binary->op != Op::Shl)
    return nullptr;
  if (const BinaryExpr *inner = findWrapping(ranges, *binary->lhs, withSums))
    return inner;
  if (isSum || binary->op == Op::Mul)
    if (const BinaryExpr *inner = findWrapping(ranges, *binary->rhs, withSums))
      return inner;
  const bool counts = isProduct || (isSum && withSums);
  return counts && !holds(binary->type, ranges.unbounded(*binary)) ? binary : nullptr;
}

/// The operation with its left operand in the wider type: "i as i64 * n".
static std::string wideText(const BinaryExpr &expr, Type to) {
  std::string cast = castText(*expr.lhs, to);
  if (!cast.empty() && expr.op == Op::Pow)
    cast = "(" + cast + ")"; // because ** binds tighter than as
  return cast.empty() ? cast
                      : cast + SourceRange{expr.lhs->range.end, expr.rhs->range.end}.text().str();
}

// Narrower integers than i32 are warned of in sums too: two pixels of u8 do not fit in u8.
static void warn(ExpressionContext &context, const Expr &expr, Type to, bool withSums,
                 const std::string &use) {
  const BinaryExpr *wrapping = findWrapping(context.ranges, expr, withSums);
  if (!wrapping)
    return;
  const SourceRange range = wrapping->lhs->range.to(wrapping->rhs->range);
  const std::string fix = shortText(range).empty() ? "" : wideText(*wrapping, to);
  diag::Builder message = context.diagnostics.emit(
      range, diag::WrapBeforeWidening, quoted(range), wrapping->type.str(), use,
      fix.empty() ? "; convert an operand first, as in 'a as " + to.str() + " * b'"
                  : writeHint(fix));
  if (!fix.empty())
    message.fix(fix);
}

void warnWrapping(ExpressionContext &context, const Expr &expr, Type to) {
  const Type type = expr.type, i64 = context.types.get(TypeKind::I64);
  if (!type.isInt() || type.bits() == 64 || (to && (!to.isInt() || to.bits() != 64)))
    return;
  // An unsigned type does not hold a signed operand, so the cast to it comes last.
  const Type wide = to && widens(type, to) ? to : i64;
  warn(context, expr, wide, /*withSums=*/false,
       to ? "is converted to " + to.str() : "is used as an index");
}

//===-- Widening --===//

bool widens(Type from, Type to) {
  if (!from.isInt() || !to.isInt() || (from.isSignedInt() && to.isUnsignedInt()))
    return false;
  return from.bits() < to.bits();
}

const Expr *widen(ExpressionContext &context, const Expr *expr, Type to) {
  if (!widens(expr->type, to))
    return expr;
  if (auto *constant = llvm::dyn_cast<ConstantExpr>(expr)) {
    const llvm::APInt &value = constant->intValue;
    return makeConstant(context.session, to, expr->range,
                        expr->type.isSignedInt() ? value.sext(to.bits()) : value.zext(to.bits()));
  }
  warn(context, *expr, to, /*withSums=*/expr->type.bits() < 32, "is widened to " + to.str());
  return context.make(CastExpr{{to, expr->range}, expr});
}

void widenPair(ExpressionContext &context, const Expr *&lhs, const Expr *&rhs) {
  if (widens(lhs->type, rhs->type.lane()) && !llvm::isa<PlaceValueExpr>(lhs))
    lhs = widen(context, lhs, rhs->type.lane());
  else
    rhs = widen(context, rhs, lhs->type.lane());
}

bool widenTogether(ExpressionContext &context, llvm::MutableArrayRef<const Expr *> operands) {
  const Expr *widest = nullptr;
  for (const Expr *operand : operands) {
    if (operand && !operand->type.isInt())
      return true; // the caller reports operands that are no integers
    if (!operand)
      continue;
    // An error does not name a literal, which has the type of another operand.
    const bool isClearer =
        widest && operand->type == widest->type && llvm::isa<ConstantExpr>(widest);
    if (!widest || isClearer || widens(widest->type, operand->type))
      widest = operand;
  }
  // If the widest so far does not have all values of another type, no type of them does.
  for (const Expr *operand : operands)
    if (operand && !(operand->type == widest->type) && !widens(operand->type, widest->type)) {
      const bool isBefore = operand->range.begin < widest->range.begin;
      reportMismatch(context.session, Op::Lt, isBefore ? *operand : *widest,
                     isBefore ? *widest : *operand);
      return false;
    }
  for (const Expr *&operand : operands)
    if (operand)
      operand = widen(context, operand, widest->type);
  return true;
}

} // namespace spl::sema

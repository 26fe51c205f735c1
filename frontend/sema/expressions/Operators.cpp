// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Operators.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Aggregates.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/LiteralNotes.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/expressions/Widening.h"

namespace spl::sema {

using Op = syntax::BinaryOp;
using Family = syntax::OperatorFamily;

namespace {

bool takes(Family family, Type type) {
  Type lane = type.lane();
  switch (family) {
  case Family::Arithmetic:
    return lane.isNumber();
  case Family::Order:
    return lane.isNumber() || type.isEnum();
  case Family::Shift:
    return lane.isInt();
  case Family::Bits:
    return lane.isInt() || lane.isBool();
  case Family::Equality:
    return lane.isScalar() || type.isEnum();
  case Family::Logical:
    return type.isBool();
  }
  llvm_unreachable("every family is handled");
}

StringRef hintFor(Family family, Type type) {
  if (type.isSlice())
    return "; use an element, as in 'a[i]'";
  if (type.isBool() && family == Family::Arithmetic)
    return "; cast it to a number, as in 'x as i32'";
  if (type.isBool() && family == Family::Order)
    return "; only '==' and '!=' work on it";
  if (type.isEnum())
    return "; cast it to an integer, as in 'x as i32'";
  if (type.isStruct())
    return "; apply it to the fields";
  if (type.isTuple() || type.isArray())
    return "; apply it to the elements";
  if (type.isFloat() && (family == Family::Bits || family == Family::Shift))
    return "; it works only on integers";
  return "";
}

bool isZero(const Expr &expr) {
  auto *constant = llvm::dyn_cast<ConstantExpr>(&expr);
  return constant && !constant->isFloat && constant->intValue.isZero();
}

/// Returns the product if an operand of + or - is one, else null.
const BinaryExpr *productOf(const Expr *expr) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(expr);
  return binary && binary->op == Op::Mul ? binary : nullptr;
}

} // namespace

/// Reports 'not x as i32' of a bool x, where the cast comes first. Returns false for other
/// operands.
static bool reportCastOfNot(Session &session, const syntax::UnaryExpr &expr, const Expr &operand) {
  auto *cast = llvm::dyn_cast<CastExpr>(&operand);
  const bool isWritten = cast && expr.operand->kind == syntax::Expr::Kind::Cast &&
                         !operand.range.text().starts_with("(");
  if (!isWritten || !cast->operand->type.isBool() || shortText(operand.range).empty())
    return false;
  const std::string fix =
      ("(not " + cast->operand->range.text() + ") as " + operand.type.str()).str();
  session.diagnostics
      .emit(expr.range, diag::ConditionNotBool, "the operand of 'not'", quoted(operand.range),
            operand.type.str(), writeHint(fix))
      .fix(fix);
  return true;
}

const Expr *checkUnary(ExpressionContext &context, const syntax::UnaryExpr &expr, Type expected) {
  if (expr.op == syntax::UnaryOp::Neg && isLiteral(*expr.operand))
    return checkLiteral(context.session, *expr.operand, true, expr.range, expected);
  bool isNot = expr.op == syntax::UnaryOp::Not;
  const Expr *operand = checkValue(context, *expr.operand, isNot ? Type() : expected);
  if (!operand)
    return nullptr;
  Type type = operand->type;
  if (isNot) {
    if (reportCastOfNot(context.session, expr, *operand) ||
        !requireBool(context.session, "the operand of 'not'", *operand))
      return nullptr;
  } else if (expr.op == syntax::UnaryOp::Neg ? !type.lane().isNumber() : !type.lane().isInt()) {
    StringRef hint = type.isBool()    ? "; write 'not'"
                     : type.isSlice() ? "; use an element, as in 'a[i]'"
                                      : "";
    context.diagnostics.emit(expr.range, diag::OperatorType, syntax::spelling(expr.op), type.str(),
                             hint);
    return nullptr;
  }
  return context.make(UnaryExpr{{type, expr.range}, expr.op, operand});
}

static const Expr *checkLogical(ExpressionContext &context, const syntax::BinaryExpr &expr) {
  const Expr *lhs = checkValue(context, *expr.lhs);
  const Expr *rhs = checkValue(context, *expr.rhs);
  std::string what = ("an operand of '" + syntax::spelling(expr.op) + "'").str();
  if (!lhs || !rhs || !requireBool(context.session, what, *lhs) ||
      !requireBool(context.session, what, *rhs))
    return nullptr;
  return context.make(LogicalExpr{{lhs->type, expr.range}, expr.op == Op::And, lhs, rhs});
}

const Expr *checkBinary(ExpressionContext &context, const syntax::BinaryExpr &expr, Type expected) {
  switch (syntax::familyOf(expr.op)) {
  case Family::Logical:
    return checkLogical(context, expr);
  case Family::Shift: {
    // The count of a shift has a type of its own, so neither operand takes the type of the other.
    const Expr *lhs = checkValue(context, *expr.lhs, expected);
    return combineOperands(context, expr.op, expr.range, lhs, checkValue(context, *expr.rhs));
  }
  case Family::Equality:
  case Family::Order: {
    auto [lhs, rhs] = checkPair(context, *expr.lhs, *expr.rhs, {});
    return combineOperands(context, expr.op, expr.range, lhs, rhs);
  }
  case Family::Arithmetic:
  case Family::Bits: {
    if (expr.op == Op::Add && reportForeignGlobalId(context, expr))
      return nullptr;
    auto [lhs, rhs] = checkPair(context, *expr.lhs, *expr.rhs, expected);
    return combineOperands(context, expr.op, expr.range, lhs, rhs);
  }
  }
  llvm_unreachable("every family is handled");
}

// Converts a scalar beside a vector to a vector. A product of scalars becomes a product of vectors,
// so that it can still be fused.
static void spreadScalar(Session &session, Op op, const Expr *&lhs, const Expr *&rhs) {
  if (lhs->type.isVector() == rhs->type.isVector())
    return;
  const Expr *&scalar = lhs->type.isVector() ? rhs : lhs;
  Type vector = lhs->type.isVector() ? lhs->type : rhs->type;
  bool isShift = syntax::isShift(op);
  if (isShift ? !scalar->type.isInt() || scalar == lhs : !(scalar->type == vector.element()))
    return; // requireOperands reports it
  if (isShift)
    vector = session.types.vector(scalar->type, vector.lanes());
  const BinaryExpr *product = productOf(scalar);
  bool mayFuse = scalar->type.isFloat() && (op == Op::Add || op == Op::Sub);
  if (product && mayFuse)
    scalar = session.make(BinaryExpr{{vector, scalar->range},
                                     Op::Mul,
                                     makeSplat(session, product->lhs, vector),
                                     makeSplat(session, product->rhs, vector)});
  else
    scalar = makeSplat(session, scalar, vector);
}

// Fuses a product into a sum. Of two products, fuses the left one, as docs/language.md says.
// Parentheses have no node in the tree. A negated, cast or named product is not fused.
static const Expr *fuseProduct(Session &session, bool isSub, SourceRange range, const Expr *lhs,
                               const Expr *rhs) {
  Type type = lhs->type;
  if (const BinaryExpr *product = productOf(lhs))
    return session.make(FmaExpr{{type, range},
                                product->lhs,
                                product->rhs,
                                rhs,
                                /*negateProduct=*/false,
                                /*negateAddend=*/isSub,
                                /*addendFirst=*/false});
  if (const BinaryExpr *product = productOf(rhs))
    return session.make(FmaExpr{{type, range},
                                product->lhs,
                                product->rhs,
                                lhs,
                                /*negateProduct=*/isSub,
                                /*negateAddend=*/false,
                                /*addendFirst=*/true});
  return nullptr;
}

static bool requireOperands(Session &session, Op op, const Expr &lhs, const Expr &rhs) {
  Family family = syntax::familyOf(op);
  for (const Expr *operand : {&lhs, &rhs})
    if (!takes(family, operand->type)) {
      session.diagnostics.emit(operand->range, diag::OperatorType, syntax::spelling(op),
                               operand->type.str(), hintFor(family, operand->type));
      return false;
    }
  bool isCount = family == Family::Shift && lhs.type.lanes() == rhs.type.lanes() &&
                 lhs.type.isVector() == rhs.type.isVector();
  if (isCount || lhs.type == rhs.type)
    return true;
  reportMismatch(session, op, lhs, rhs);
  return false;
}

const Expr *combineOperands(ExpressionContext &context, Op op, SourceRange range, const Expr *lhs,
                            const Expr *rhs) {
  if (!lhs || !rhs)
    return nullptr;
  Session &session = context.session;
  if (!syntax::isShift(op))
    widenPair(context, lhs, rhs);
  spreadScalar(session, op, lhs, rhs);
  if (!requireOperands(session, op, *lhs, *rhs))
    return nullptr;
  Type type = lhs->type, lane = type.lane();
  if (syntax::isComparison(op))
    return session.make(BinaryExpr{{boolTypeFor(session, type), range}, op, lhs, rhs});

  bool divides = op == Op::Div || op == Op::Rem;
  if (lane.isInt() && divides && isZero(*rhs))
    session.diagnostics.emit(rhs->range, diag::DivisionByZero);
  if (lane.isFloat() && (op == Op::Rem || op == Op::Pow)) {
    const Expr *operands[] = {lhs, rhs};
    intrinsics::Id id = op == Op::Rem ? intrinsics::Id::Fmod : intrinsics::Id::Pow;
    return session.make(
        IntrinsicExpr{{type, range}, id, ArrayRef(operands).copy(session.arena), 0});
  }
  if (lane.isFloat() && (op == Op::Add || op == Op::Sub) && !session.options.strictFp)
    if (const Expr *fused = fuseProduct(session, op == Op::Sub, range, lhs, rhs))
      return fused;
  return session.make(BinaryExpr{{type, range}, op, lhs, rhs});
}

Type boolTypeFor(Session &session, Type type) {
  Type truth = session.types.get(TypeKind::Bool);
  return type.isVector() ? session.types.vector(truth, type.lanes()) : truth;
}

// The hint casts the operand whose values fit the type of the other operand, if there is one.
void reportMismatch(Session &session, Op op, const Expr &lhs, const Expr &rhs) {
  Type left = lhs.type.lane(), right = rhs.type.lane();
  bool isLeftWider =
      left.isFloat() != right.isFloat() ? left.isFloat() : left.bits() >= right.bits();
  if (lhs.type.isVector() != rhs.type.isVector()) // only the scalar can be cast
    isLeftWider = lhs.type.isVector();
  // The target of a compound assignment cannot be cast.
  bool castsRight = isLeftWider || llvm::isa<PlaceValueExpr>(lhs);
  const Expr &cast = castsRight ? rhs : lhs;
  std::string fix = castText(cast, castsRight ? left : right);
  if (op == Op::Pow && !fix.empty())
    fix = "(" + fix + ")"; // because ** binds tighter than as
  // After 'var sum = 0' and 'sum += 0.5', a cast would compile, but it would drop the fraction.
  StringRef name = lhs.range.text();
  bool losesFraction = llvm::isa<PlaceValueExpr>(lhs) && left.isInt() && right.isFloat() &&
                       !fix.empty() && name.find_first_of(".[") == StringRef::npos;
  std::string hint = writeHint(fix);
  if (std::string division = divisionText(cast, castsRight ? left : right); !division.empty()) {
    const bool needsParentheses = op == Op::Pow || cast.range.text().starts_with("(");
    fix = needsParentheses ? "(" + division + ")" : division;
    hint = writeHint(fix) + ", as '/' of integers drops the fraction";
  }
  if (losesFraction)
    hint = "; declare 'var " + name.str() + ": " + rhs.type.str() + "', or write '" + fix +
           "', which truncates";
  diag::Builder message =
      session.diagnostics.emit(cast.range, diag::OperandMismatch, quoted(lhs.range), lhs.type.str(),
                               quoted(rhs.range), rhs.type.str(), hint);
  if (!fix.empty() && !losesFraction)
    message.fix(fix);
  noteLiteral(session, message, lhs, losesFraction ? Type() : rhs.type);
  noteLiteral(session, message, rhs, lhs.type);
}

bool requireBool(Session &session, std::string what, const Expr &expr) {
  if (expr.type.isBool())
    return true;
  std::string fix = conditionText(expr);
  diag::Builder message =
      session.diagnostics.emit(expr.range, diag::ConditionNotBool, what, quoted(expr.range),
                               expr.type.str(), writeHint(fix));
  if (!fix.empty())
    message.fix(fix);
  return false;
}

// All literals take the widest type of the operands that are not literals.
const Expr *checkChain(ExpressionContext &context, const syntax::CompareChainExpr &expr) {
  llvm::SmallVector<const Expr *, 4> operands(expr.operands.size());
  LiteralClass literals = LiteralClass::Int;
  Type type;
  bool isWrong = false;
  for (auto [i, operand] : llvm::enumerate(expr.operands)) {
    LiteralClass own = classify(context.literals, *operand);
    literals = std::max(literals, own);
    if (own != LiteralClass::Rigid)
      continue;
    operands[i] = checkValue(context, *operand);
    isWrong |= !operands[i];
    if (operands[i] && (!type || widens(type, operands[i]->type)))
      type = operands[i]->type;
  }
  if (!type && literals != LiteralClass::Rigid)
    type = literalType(context.session, literals, {});
  for (auto [i, operand] : llvm::enumerate(expr.operands))
    if (classify(context.literals, *operand) != LiteralClass::Rigid) {
      operands[i] = checkValue(context, *operand, type);
      isWrong |= !operands[i];
    }
  for (const Expr *operand : operands)
    if (operand && !isWrong && operand->type.isVector()) {
      context.diagnostics.emit(operand->range, diag::OperatorType, "a chain of comparisons",
                               operand->type.str(), "");
      isWrong = true;
    }
  isWrong = isWrong || !widenTogether(context, operands);
  for (size_t i = 0; i != expr.ops.size() && !isWrong; ++i)
    isWrong = !requireOperands(context.session, expr.ops[i], *operands[i], *operands[i + 1]);
  if (isWrong)
    return nullptr;
  return context.make(CompareChainExpr{{context.types.get(TypeKind::Bool), expr.range},
                                       ArrayRef<const Expr *>(operands).copy(context.arena),
                                       ArrayRef(expr.ops).copy(context.arena)});
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on checked operands: which types they take, and what they become in the typed tree.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"

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
    return "; index it";
  if (type.isBool() && family == Family::Arithmetic)
    return "; cast it to a number, as in 'x as i32'";
  if (type.isBool() && family == Family::Order)
    return "; only '==' and '!=' do";
  if (type.isEnum())
    return "; cast it to an integer, as in 'x as i32'";
  if (type.isStruct())
    return "; only on its fields";
  if (type.isTuple() || type.isArray())
    return "; only on its elements";
  if (type.isFloat() && (family == Family::Bits || family == Family::Shift))
    return "; only on integers";
  return "";
}

bool isZero(const Expr &expr) {
  auto *constant = llvm::dyn_cast<ConstantExpr>(&expr);
  return constant && !constant->isFloat && constant->intValue.isZero();
}

/// The product that an operand of + or - is, or null.
const BinaryExpr *productOf(const Expr *expr) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(expr);
  return binary && binary->op == Op::Mul ? binary : nullptr;
}

} // namespace

const Expr *BodyChecker::checkUnary(const syntax::UnaryExpr &expr, Type expected) {
  if (expr.op == syntax::UnaryOp::Neg && isLiteral(*expr.operand))
    return checkLiteral(*expr.operand, true, expr.range, expected);
  bool isNot = expr.op == syntax::UnaryOp::Not;
  const Expr *operand = checkValue(*expr.operand, isNot ? Type() : expected);
  if (!operand)
    return nullptr;
  Type type = operand->type;
  if (isNot) {
    if (!requireBool("the operand of 'not'", *operand))
      return nullptr;
  } else if (expr.op == syntax::UnaryOp::Neg ? !type.lane().isNumber() : !type.lane().isInt()) {
    StringRef hint = type.isBool() ? "; write 'not'" : type.isSlice() ? "; index it" : "";
    diagnostics.emit(expr.range, diag::OperatorType, syntax::spelling(expr.op), type.str(), hint);
    return nullptr;
  }
  return make(UnaryExpr{{type, expr.range}, expr.op, operand});
}

const Expr *BodyChecker::checkBinary(const syntax::BinaryExpr &expr, Type expected) {
  switch (syntax::familyOf(expr.op)) {
  case Family::Logical:
    return checkLogical(expr);
  case Family::Shift: {
    // The count has a type of its own, so it is no other operand to take one from.
    const Expr *lhs = checkValue(*expr.lhs, expected);
    return combine(expr.op, expr.range, lhs, checkValue(*expr.rhs));
  }
  case Family::Equality:
  case Family::Order: {
    auto [lhs, rhs] = checkPair(*expr.lhs, *expr.rhs, {});
    return combine(expr.op, expr.range, lhs, rhs);
  }
  case Family::Arithmetic:
  case Family::Bits: {
    auto [lhs, rhs] = checkPair(*expr.lhs, *expr.rhs, expected);
    return combine(expr.op, expr.range, lhs, rhs);
  }
  }
  llvm_unreachable("every family is handled");
}

const Expr *BodyChecker::combine(Op op, SourceRange range, const Expr *lhs, const Expr *rhs) {
  if (!lhs || !rhs)
    return nullptr;
  spread(op, lhs, rhs);
  if (!requireOperands(op, *lhs, *rhs))
    return nullptr;
  Type type = lhs->type, lane = type.lane();
  if (syntax::isComparison(op))
    return make(BinaryExpr{{truthOf(type), range}, op, lhs, rhs});

  bool divides = op == Op::Div || op == Op::Rem;
  if (lane.isInt() && divides && isZero(*rhs))
    diagnostics.emit(rhs->range, diag::DivisionByZero);
  if (lane.isFloat() && (op == Op::Rem || op == Op::Pow)) {
    const Expr *operands[] = {lhs, rhs};
    intrinsics::Id id = op == Op::Rem ? intrinsics::Id::Fmod : intrinsics::Id::Pow;
    return make(IntrinsicExpr{{type, range}, id, ArrayRef(operands).copy(arena), 0});
  }
  if (lane.isFloat() && (op == Op::Add || op == Op::Sub) && !session.options.strictFp)
    if (const Expr *fused = fuse(op == Op::Sub, range, lhs, rhs))
      return fused;
  return make(BinaryExpr{{type, range}, op, lhs, rhs});
}

Type BodyChecker::truthOf(Type type) const {
  Type truth = types.get(TypeKind::Bool);
  return type.isVector() ? types.vector(truth, type.lanes()) : truth;
}

// A scalar product beside a vector stays a product, so that it is fused as the source says.
void BodyChecker::spread(Op op, const Expr *&lhs, const Expr *&rhs) {
  if (lhs->type.isVector() == rhs->type.isVector())
    return;
  const Expr *&scalar = lhs->type.isVector() ? rhs : lhs;
  Type vector = lhs->type.isVector() ? lhs->type : rhs->type;
  bool isShift = syntax::isShift(op);
  if (isShift ? !scalar->type.isInt() || scalar == lhs : !(scalar->type == vector.element()))
    return; // reported as operands that do not fit
  if (isShift)
    vector = types.vector(scalar->type, vector.lanes());
  const BinaryExpr *product = productOf(scalar);
  bool mayFuse = scalar->type.isFloat() && (op == Op::Add || op == Op::Sub);
  if (product && mayFuse)
    scalar = make(BinaryExpr{{vector, scalar->range},
                             Op::Mul,
                             splat(product->lhs, vector),
                             splat(product->rhs, vector)});
  else
    scalar = splat(scalar, vector);
}

// Parentheses leave no trace in the tree, and a negated, cast or named product is none here; so
// what is fused is what the rule says. With products on both sides it is the left one.
const Expr *BodyChecker::fuse(bool isSub, SourceRange range, const Expr *lhs, const Expr *rhs) {
  Type type = lhs->type;
  if (const BinaryExpr *product = productOf(lhs))
    return make(FmaExpr{{type, range},
                        product->lhs,
                        product->rhs,
                        rhs,
                        /*negateProduct=*/false,
                        /*negateAddend=*/isSub,
                        /*addendFirst=*/false});
  if (const BinaryExpr *product = productOf(rhs))
    return make(FmaExpr{{type, range},
                        product->lhs,
                        product->rhs,
                        lhs,
                        /*negateProduct=*/isSub,
                        /*negateAddend=*/false,
                        /*addendFirst=*/true});
  return nullptr;
}

bool BodyChecker::requireOperands(Op op, const Expr &lhs, const Expr &rhs) {
  Family family = syntax::familyOf(op);
  for (const Expr *operand : {&lhs, &rhs})
    if (!takes(family, operand->type)) {
      diagnostics.emit(operand->range, diag::OperatorType, syntax::spelling(op),
                       operand->type.str(), hintFor(family, operand->type));
      return false;
    }
  bool isCount = family == Family::Shift && lhs.type.lanes() == rhs.type.lanes() &&
                 lhs.type.isVector() == rhs.type.isVector();
  if (isCount || lhs.type == rhs.type)
    return true;
  reportMismatch(op, lhs, rhs);
  return false;
}

// Says which operand to cast: the one whose values the other's type holds, if any.
void BodyChecker::reportMismatch(Op op, const Expr &lhs, const Expr &rhs) {
  Type left = lhs.type.lane(), right = rhs.type.lane();
  bool isLeftWider =
      left.isFloat() != right.isFloat() ? left.isFloat() : left.bits() >= right.bits();
  if (lhs.type.isVector() != rhs.type.isVector()) // it is the scalar that can be cast
    isLeftWider = lhs.type.isVector();
  // The place of a compound assignment cannot be cast.
  bool castsRight = isLeftWider || llvm::isa<PlaceValueExpr>(lhs);
  const Expr &cast = castsRight ? rhs : lhs;
  std::string fix = castText(cast, castsRight ? left : right);
  if (op == Op::Pow && !fix.empty())
    fix = "(" + fix + ")"; // ** binds tighter than as
  // 'var sum = 0' before 'sum += 0.5': a cast would compile, and lose what is added.
  StringRef name = lhs.range.text();
  bool losesFraction = llvm::isa<PlaceValueExpr>(lhs) && left.isInt() && right.isFloat() &&
                       !fix.empty() && name.find_first_of(".[") == StringRef::npos;
  std::string hint = writeHint(fix);
  if (losesFraction)
    hint = "; declare 'var " + name.str() + ": " + rhs.type.str() + "', or write '" + fix +
           "', which truncates";
  diag::Builder message = diagnostics.emit(cast.range, diag::OperandMismatch, quoted(lhs.range),
                                           lhs.type.str(), quoted(rhs.range), rhs.type.str(), hint);
  if (!fix.empty() && !losesFraction)
    message.fix(fix);
}

bool BodyChecker::requireBool(std::string what, const Expr &expr) {
  if (expr.type.isBool())
    return true;
  std::string fix = conditionText(expr);
  diag::Builder message = diagnostics.emit(expr.range, diag::ConditionNotBool, what,
                                           quoted(expr.range), expr.type.str(), writeHint(fix));
  if (!fix.empty())
    message.fix(fix);
  return false;
}

const Expr *BodyChecker::checkLogical(const syntax::BinaryExpr &expr) {
  const Expr *lhs = checkValue(*expr.lhs);
  const Expr *rhs = checkValue(*expr.rhs);
  std::string what = ("an operand of '" + syntax::spelling(expr.op) + "'").str();
  if (!lhs || !rhs || !requireBool(what, *lhs) || !requireBool(what, *rhs))
    return nullptr;
  return make(LogicalExpr{{lhs->type, expr.range}, expr.op == Op::And, lhs, rhs});
}

// All operands have one type: that of the first that has one of its own.
const Expr *BodyChecker::checkChain(const syntax::CompareChainExpr &expr) {
  llvm::SmallVector<const Expr *, 4> operands(expr.operands.size());
  LiteralClass literals = LiteralClass::Int;
  Type type;
  bool isWrong = false;
  for (auto [i, operand] : llvm::enumerate(expr.operands)) {
    LiteralClass own = classify(*operand);
    literals = std::max(literals, own);
    if (own != LiteralClass::Rigid)
      continue;
    operands[i] = checkValue(*operand);
    isWrong |= !operands[i];
    if (!type && operands[i])
      type = operands[i]->type;
  }
  if (!type && literals != LiteralClass::Rigid)
    type = literalType(literals, {});
  for (auto [i, operand] : llvm::enumerate(expr.operands))
    if (classify(*operand) != LiteralClass::Rigid) {
      operands[i] = checkValue(*operand, type);
      isWrong |= !operands[i];
    }
  for (const Expr *operand : operands)
    if (operand && !isWrong && operand->type.isVector()) {
      diagnostics.emit(operand->range, diag::OperatorType, "a chain of comparisons",
                       operand->type.str(), "");
      isWrong = true;
    }
  for (size_t i = 0; i != expr.ops.size() && !isWrong; ++i)
    isWrong = !requireOperands(expr.ops[i], *operands[i], *operands[i + 1]);
  if (isWrong)
    return nullptr;
  return make(CompareChainExpr{{types.get(TypeKind::Bool), expr.range},
                               ArrayRef<const Expr *>(operands).copy(arena),
                               ArrayRef(expr.ops).copy(arena)});
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/evaluation/Evaluator.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/evaluation/FramePlaces.h"

namespace spl::sema {

using llvm::APFloat;
using llvm::APInt;
using Op = syntax::BinaryOp;

static constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;

std::nullptr_t Evaluator::fault(SourceRange range, StringRef what) {
  if (reports)
    session.diagnostics.emit(range, diag::ConstantFault, what);
  return nullptr;
}

std::nullptr_t Evaluator::notConstant(const Expr &expr) {
  if (!reports)
    return nullptr;
  const bool isCall = llvm::isa<CallExpr>(expr) && expr.type.isSlice();
  if (!isCall && !expr.type.holdsSlices())
    session.diagnostics.emit(expr.range, diag::NotConstant, quoted(expr.range), hint);
  else
    session.diagnostics.emit(expr.range, diag::SlicesNotConstant, quoted(expr.range),
                             isCall                 ? "returns a slice"
                             : expr.type.isStruct() ? "is a struct with slices"
                                                    : "is an array of slices",
                             isCall ? "write the sub-slice where it is used"
                                    : "pass each slice as a parameter of its own");
  return nullptr;
}

const Expr *Evaluator::evaluate(const Expr &expr) {
  using Kind = Expr::Kind;
  if (!step(expr))
    return nullptr;
  if (frame && !expr.type.isSlice() && isPlaceIn(*frame, expr)) {
    const std::optional<FramePlace> place = placeOf(*this, *frame, expr);
    return place ? read(*place) : nullptr;
  }
  switch (expr.kind) {
  case Kind::Constant:
    return &expr;
  case Kind::ConstantData:
    return llvm::cast<ConstantDataExpr>(expr).constant->value;
  case Kind::Build:
    return evaluateBuild(llvm::cast<BuildExpr>(expr));
  case Kind::Unary:
    return evaluateUnary(llvm::cast<UnaryExpr>(expr));
  case Kind::Binary:
    return evaluateBinary(llvm::cast<BinaryExpr>(expr));
  case Kind::Logical:
    return evaluateLogical(llvm::cast<LogicalExpr>(expr));
  case Kind::CompareChain:
    return evaluateChain(llvm::cast<CompareChainExpr>(expr));
  case Kind::Conditional:
    return evaluateConditional(llvm::cast<ConditionalExpr>(expr));
  case Kind::Cast:
    return evaluateCast(llvm::cast<CastExpr>(expr));
  case Kind::Fma:
    return evaluateFma(llvm::cast<FmaExpr>(expr));
  case Kind::Index:
    return evaluateIndex(llvm::cast<IndexExpr>(expr));
  case Kind::Field:
    return evaluateField(llvm::cast<FieldExpr>(expr));
  case Kind::Lane:
    return evaluateLane(llvm::cast<LaneExpr>(expr));
  case Kind::Intrinsic:
    return evaluateIntrinsic(llvm::cast<IntrinsicExpr>(expr));
  case Kind::Call:
    return evaluateCall(llvm::cast<CallExpr>(expr));
  case Kind::Extent:
    return evaluateExtent(llvm::cast<ExtentExpr>(expr));
  case Kind::PlaceValue:
    return frame && frame->assigned ? read(*frame->assigned) : notConstant(expr);
  case Kind::Local:
  case Kind::Subslice:
  case Kind::Reference:
  case Kind::Atomic:
  case Kind::Shared:
  case Kind::SharedDyn:
  case Kind::Access:
    return notConstant(expr);
  }
  llvm_unreachable("an expression has a kind");
}

//===-- Compound values --===//

const Expr *Evaluator::evaluateBuild(const BuildExpr &expr) {
  llvm::SmallVector<const Expr *> parts;
  bool isWrong = false;
  for (const Expr *part : expr.parts) {
    parts.push_back(evaluate(*part));
    isWrong |= !parts.back();
  }
  if (isWrong)
    return nullptr;
  return make(BuildExpr{{expr.type, expr.range}, ArrayRef<const Expr *>(parts).copy(arena), {}});
}

const Expr *Evaluator::evaluateIndex(const IndexExpr &expr) {
  if (!expr.base->type.isArray())
    return notConstant(llvm::isa<CallExpr>(expr.base) ? *expr.base : expr);
  const Expr *base = evaluate(*expr.base);
  auto index = llvm::cast_if_present<ConstantExpr>(evaluate(*expr.indices.front()));
  if (!base || !index)
    return nullptr;
  bool isNegative = isSigned(index->type) && index->intValue.isNegative();
  if (isNegative || index->intValue.uge(expr.base->type.length()))
    return fault(expr.range, "the index is outside the array");
  return partOf(base, index->intValue.getZExtValue());
}

const Expr *Evaluator::evaluateField(const FieldExpr &expr) {
  const Expr *base = evaluate(*expr.base);
  return base ? partOf(base, expr.field) : nullptr;
}

const Expr *Evaluator::evaluateLane(const LaneExpr &expr) {
  const Expr *base = evaluate(*expr.base);
  auto index = llvm::cast_if_present<ConstantExpr>(evaluate(*expr.index));
  if (!base || !index)
    return nullptr;
  if (index->intValue.uge(expr.base->type.lanes()))
    return fault(expr.range, "the lane is outside the vector");
  return partOf(base, index->intValue.getZExtValue());
}

//===-- Conditions --===//

const Expr *Evaluator::evaluateLogical(const LogicalExpr &expr) {
  auto lhs = llvm::cast_if_present<ConstantExpr>(evaluate(*expr.lhs));
  if (!lhs || lhs->intValue.isOne() != expr.isAnd)
    return lhs;
  return evaluate(*expr.rhs);
}

const Expr *Evaluator::evaluateChain(const CompareChainExpr &expr) {
  auto lhs = llvm::cast_if_present<ConstantExpr>(evaluate(*expr.operands[0]));
  for (size_t i = 0; lhs && i != expr.ops.size(); ++i) {
    auto rhs = llvm::cast_if_present<ConstantExpr>(evaluate(*expr.operands[i + 1]));
    if (!rhs)
      return nullptr;
    Scalar holds = binary(expr.ops[i], expr.range, expr.type, lhs, rhs);
    if (holds->intValue.isZero() || i + 1 == expr.ops.size())
      return holds;
    lhs = rhs;
  }
  return nullptr;
}

const Expr *Evaluator::evaluateConditional(const ConditionalExpr &expr) {
  auto condition = llvm::cast_if_present<ConstantExpr>(evaluate(*expr.condition));
  return condition ? evaluate(condition->intValue.isOne() ? *expr.then : *expr.other) : nullptr;
}

//===-- Operators --===//

const Expr *Evaluator::evaluateUnary(const UnaryExpr &expr) {
  const Expr *operand = evaluate(*expr.operand);
  auto apply = [&](Scalar lane) { return unary(expr, lane); };
  return operand ? laneByLane(expr.type, expr.range, apply, operand) : nullptr;
}

Evaluator::Scalar Evaluator::unary(const UnaryExpr &expr, Scalar operand) {
  switch (expr.op) {
  case syntax::UnaryOp::Neg:
    if (operand->isFloat) {
      APFloat value = operand->floatValue;
      value.changeSign();
      return number(operand->type, expr.range, value);
    }
    return number(operand->type, expr.range, -operand->intValue);
  case syntax::UnaryOp::BitNot:
  case syntax::UnaryOp::Not:
    return number(operand->type, expr.range, ~operand->intValue);
  }
  llvm_unreachable("a unary operator");
}

const Expr *Evaluator::evaluateBinary(const BinaryExpr &expr) {
  const Expr *lhs = evaluate(*expr.lhs), *rhs = evaluate(*expr.rhs);
  auto apply = [&](Scalar x, Scalar y) {
    return binary(expr.op, expr.range, expr.type.lane(), x, y);
  };
  return lhs && rhs ? laneByLane(expr.type, expr.range, apply, lhs, rhs) : nullptr;
}

Evaluator::Scalar Evaluator::binary(Op op, SourceRange range, Type result, Scalar lhs, Scalar rhs) {
  if (lhs->isFloat)
    return floats(op, range, result, lhs->floatValue, rhs->floatValue);
  APInt count = rhs->intValue;
  if (op == Op::Shl ||
      op == Op::Shr) // widths are powers of two, so masking the count gives its remainder
    count = count.zextOrTrunc(64) & (lhs->intValue.getBitWidth() - 1);
  return integers(op, range, result, isSigned(lhs->type), lhs->intValue, count);
}

Evaluator::Scalar Evaluator::floats(Op op, SourceRange range, Type result, APFloat lhs,
                                    const APFloat &rhs) {
  switch (op) {
    // clang-format off
  case Op::Add: lhs.add(rhs, nearest); break;
  case Op::Sub: lhs.subtract(rhs, nearest); break;
  case Op::Mul: lhs.multiply(rhs, nearest); break;
  case Op::Div: lhs.divide(rhs, nearest); break;
  case Op::Rem: lhs.mod(rhs); break;
  case Op::Eq: return truth(range, lhs == rhs);
  case Op::Ne: return truth(range, lhs != rhs);
  case Op::Lt: return truth(range, lhs < rhs);
  case Op::Le: return truth(range, lhs <= rhs);
  case Op::Gt: return truth(range, lhs > rhs);
  case Op::Ge: return truth(range, lhs >= rhs);
  // clang-format on
  case Op::Pow:
  case Op::Shl:
  case Op::Shr:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
  case Op::And:
  case Op::Or:
    llvm_unreachable("no operator on floats");
  }
  return number(result, range, lhs);
}

Evaluator::Scalar Evaluator::integers(Op op, SourceRange range, Type result, bool isSigned,
                                      const APInt &lhs, const APInt &rhs) {
  auto value = [&](APInt computed) { return number(result, range, std::move(computed)); };
  bool isDivision = op == Op::Div || op == Op::Rem;
  if (isDivision && rhs.isZero())
    return fault(range, "division by zero");
  switch (op) {
    // clang-format off
  case Op::Add: return value(lhs + rhs);
  case Op::Sub: return value(lhs - rhs);
  case Op::Mul: return value(lhs * rhs);
  case Op::Div: return value(isSigned ? lhs.sdiv(rhs) : lhs.udiv(rhs)); // MIN / -1 wraps to MIN
  case Op::Rem: return value(isSigned ? lhs.srem(rhs) : lhs.urem(rhs));
  case Op::Pow: return power(range, result, isSigned, lhs, rhs);
  case Op::Shl: return value(lhs.shl(rhs));
  case Op::Shr: return value(isSigned ? lhs.ashr(rhs) : lhs.lshr(rhs));
  case Op::BitAnd: return value(lhs & rhs);
  case Op::BitOr: return value(lhs | rhs);
  case Op::BitXor: return value(lhs ^ rhs);
  case Op::Eq: return truth(range, lhs == rhs);
  case Op::Ne: return truth(range, lhs != rhs);
  case Op::Lt: return truth(range, isSigned ? lhs.slt(rhs) : lhs.ult(rhs));
  case Op::Le: return truth(range, isSigned ? lhs.sle(rhs) : lhs.ule(rhs));
  case Op::Gt: return truth(range, isSigned ? lhs.sgt(rhs) : lhs.ugt(rhs));
  case Op::Ge: return truth(range, isSigned ? lhs.sge(rhs) : lhs.uge(rhs));
  // clang-format on
  case Op::And:
  case Op::Or:
    break;
  }
  llvm_unreachable("no operator on integers");
}

Evaluator::Scalar Evaluator::power(SourceRange range, Type result, bool isSigned, APInt base,
                                   APInt exponent) {
  if (isSigned && exponent.isNegative())
    return fault(range, "negative exponent");
  APInt value(base.getBitWidth(), 1);
  for (; !exponent.isZero(); exponent = exponent.lshr(1), base *= base)
    if (exponent[0])
      value *= base;
  return number(result, range, value);
}

const Expr *Evaluator::evaluateFma(const FmaExpr &expr) {
  const Expr *a = evaluate(*expr.a), *b = evaluate(*expr.b), *c = evaluate(*expr.c);
  auto apply = [&](Scalar x, Scalar y, Scalar z) { return fuse(expr, x, y, z); };
  return a && b && c ? laneByLane(expr.type, expr.range, apply, a, b, c) : nullptr;
}

Evaluator::Scalar Evaluator::fuse(const FmaExpr &expr, Scalar a, Scalar b, Scalar c) {
  APFloat value = a->floatValue, addend = c->floatValue;
  if (expr.negateProduct)
    value.changeSign();
  if (expr.negateAddend)
    addend.changeSign();
  value.fusedMultiplyAdd(b->floatValue, addend, nearest);
  return number(a->type, expr.range, value);
}

const Expr *Evaluator::evaluateCast(const CastExpr &expr) {
  if (expr.type.isSlice())
    return notConstant(expr);
  const Expr *operand = evaluate(*expr.operand);
  auto apply = [&](Scalar lane) { return cast(expr.type.lane(), expr.range, lane); };
  return operand ? laneByLane(expr.type, expr.range, apply, operand) : nullptr;
}

Evaluator::Scalar Evaluator::cast(Type to, SourceRange range, Scalar operand) {
  bool isLossy;
  if (to.isFloat()) {
    APFloat value = operand->isFloat ? operand->floatValue : APFloat(semanticsOf(to));
    if (operand->isFloat)
      value.convert(semanticsOf(to), nearest, &isLossy);
    else
      value.convertFromAPInt(operand->intValue, isSigned(operand->type), nearest);
    return number(to, range, value);
  }
  if (operand->isFloat) { // the conversion saturates, and NaN becomes 0
    llvm::APSInt value(to.bits(), to.isUnsignedInt());
    operand->floatValue.convertToInteger(value, llvm::RoundingMode::TowardZero, &isLossy);
    return number(to, range, APInt(value));
  }
  return number(to, range,
                isSigned(operand->type) ? operand->intValue.sextOrTrunc(to.bits())
                                        : operand->intValue.zextOrTrunc(to.bits()));
}

const Expr *Session::constantOf(const Expr &expr, StringRef hint) {
  return Evaluator(*this, /*reports=*/true, hint).evaluate(expr);
}

const ConstantExpr *Session::knownInteger(const Expr &expr) {
  if (!expr.type.isInt() && !expr.type.isEnum())
    return nullptr;
  return llvm::dyn_cast_if_present<ConstantExpr>(
      Evaluator(*this, /*reports=*/false).evaluate(expr));
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Aggregates.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Indexing.h"
#include "frontend/sema/expressions/LiteralNotes.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Operators.h"
#include "frontend/sema/expressions/Places.h"
#include "frontend/sema/expressions/References.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/TypeTests.h"
#include "frontend/sema/expressions/Widening.h"

namespace spl::sema {

static const Expr *checkConditional(ExpressionContext &context, const syntax::ConditionalExpr &expr,
                                    Type expected) {
  if (std::optional<bool> known = decidedByTypes(context, *expr.condition)) {
    skip(context, *known ? expr.other->range : expr.then->range);
    return checkValue(context, *known ? *expr.then : *expr.other, expected);
  }
  const Expr *condition = checkCondition(context, *expr.condition);
  auto [then, other] = checkPair(context, *expr.then, *expr.other, expected);
  if (!condition || !then || !other)
    return nullptr;
  if (then->type.isSlice() && other->type.isSlice() && !(then->type == other->type)) {
    // The result is read-only if one of the slices is read-only.
    const Expr *&writable = then->type.isMut() ? then : other;
    writable = convert(context, writable, then->type.isMut() ? other->type : then->type);
    if (!writable)
      return nullptr;
  }
  widenPair(context, then, other);
  if (!(then->type == other->type)) {
    reportMismatch(context.session, syntax::BinaryOp::Or, *then, *other);
    return nullptr;
  }
  return context.make(ConditionalExpr{{then->type, expr.range}, condition, then, other});
}

// Whether `as` can convert the types. Enums convert to integers, numbers and bools to numbers, and
// vectors lane by lane.
static bool isCastable(Type from, Type to) {
  if (from.isEnum())
    return to.isInt();
  return from.lanes() == to.lanes() && from.isVector() == to.isVector() && from.lane().isScalar() &&
         to.lane().isScalar();
}

/// Returns the hint for an invalid cast.
static std::string castHint(const Expr &operand, Type to) {
  Type from = operand.type;
  if (to.isEnum())
    return membersHint(to);
  if (quoted(operand.range).front() != '\'')
    return {};
  if (from.isEnum() && to.isBool())
    return writeHint(asOperand(operand) + " as i32 != 0");
  if (from.isEnum() && to.isFloat())
    return writeHint(asOperand(operand) + " as i32 as " + to.str());
  if (!to.isVector() || !from.isScalar())
    return {};
  Type lane = to.element();
  std::string cast = from == lane ? operand.range.text().str() : castText(operand, lane);
  return writeHint(to.str() + "(" + cast + ")");
}

static const Expr *checkCast(ExpressionContext &context, const syntax::CastExpr &expr) {
  Type to = context.session.resolve(*expr.type);
  bool isNegative = false;
  const syntax::Expr *literal = literalOf(*expr.operand, isNegative);
  if (literal && to.isNumber())
    return castLiteral(context.session, *literal, isNegative, expr.range, to);

  const Expr *operand = checkValue(context, *expr.operand);
  if (!operand || to.isError())
    return nullptr;
  Type from = operand->type;
  if (from.isNumber() && to.isBool())
    context.diagnostics.emit(expr.range, diag::CastToBool, asOperand(*operand))
        .fix(asOperand(*operand) + " != 0");
  else if (!isCastable(from, to))
    context.diagnostics.emit(expr.range, diag::CastImpossible, quoted(operand->range), from.str(),
                             to.str(), castHint(*operand, to));
  else {
    warnWrapping(context, *operand, to);
    return context.make(CastExpr{{to, expr.range}, operand});
  }
  return nullptr;
}

const Expr *checkExpr(ExpressionContext &context, const syntax::Expr &expr, Type expected) {
  using Kind = syntax::Expr::Kind;
  switch (expr.kind) {
  case Kind::Int:
  case Kind::Float:
    return checkLiteral(context.session, expr, false, expr.range, expected);
  case Kind::Bool: {
    bool value = static_cast<const syntax::BoolExpr &>(expr).value;
    return makeConstant(context.session, context.types.get(TypeKind::Bool), expr.range,
                        llvm::APInt(1, value));
  }
  case Kind::Name:
    return checkName(context, static_cast<const syntax::NameExpr &>(expr));
  case Kind::Unary:
    return checkUnary(context, static_cast<const syntax::UnaryExpr &>(expr), expected);
  case Kind::Binary:
    return checkBinary(context, static_cast<const syntax::BinaryExpr &>(expr), expected);
  case Kind::CompareChain:
    return checkChain(context, static_cast<const syntax::CompareChainExpr &>(expr));
  case Kind::Conditional:
    return checkConditional(context, static_cast<const syntax::ConditionalExpr &>(expr), expected);
  case Kind::Cast:
    return checkCast(context, static_cast<const syntax::CastExpr &>(expr));
  case Kind::Call:
    return checkCall(context, static_cast<const syntax::CallExpr &>(expr), expected);
  case Kind::Index:
    return checkIndex(context, static_cast<const syntax::IndexExpr &>(expr));
  case Kind::Member:
    return checkMember(context, static_cast<const syntax::MemberExpr &>(expr), expected);
  case Kind::Range:
    context.diagnostics.emit(expr.range, diag::RangeIndex, "");
    return nullptr;
  case Kind::Array:
    return checkArray(context, static_cast<const syntax::ArrayExpr &>(expr), expected);
  case Kind::Comprehension:
    return checkComprehension(context, static_cast<const syntax::ComprehensionExpr &>(expr),
                              expected);
  case Kind::Tuple:
    return checkTuple(context, static_cast<const syntax::TupleExpr &>(expr), expected);
  case Kind::PlaceRef:
    return reportPlaceRef(context, static_cast<const syntax::PlaceRefExpr &>(expr));
  case Kind::TypeTest:
    return checkTypeTest(context, static_cast<const syntax::TypeTestExpr &>(expr));
  case Kind::String:
    context.diagnostics.emit(expr.range, diag::StringHere);
    return nullptr;
  case Kind::Error:
    context.nameReports.isBroken = true;
    return nullptr;
  }
  llvm_unreachable("every kind is handled");
}

// Returns the name of the callee. Only a call can be an expression without a value.
static StringRef calleeName(const Expr &call) {
  if (auto *function = llvm::dyn_cast<CallExpr>(&call))
    return shown(function->callee->name);
  return call.range.text().take_until([](char c) { return c == '(' || c == '['; });
}

const Expr *checkValue(ExpressionContext &context, const syntax::Expr &expr, Type expected) {
  const Expr *value = checkExpr(context, expr, expected);
  if (!value || !value->type.isUnit())
    return value;
  context.diagnostics.emit(value->range, diag::NoValue, calleeName(*value));
  return nullptr;
}

const Expr *checkCondition(ExpressionContext &context, const syntax::Expr &expr) {
  const Expr *value = checkValue(context, expr);
  return value && requireBool(context.session, "a condition", *value) ? value : nullptr;
}

const Expr *checkAs(ExpressionContext &context, const syntax::Expr &expr, Type expected) {
  const Expr *value = checkValue(context, expr, expected);
  return value && !expected.isError() ? convert(context, value, expected) : nullptr;
}

const Expr *convert(ExpressionContext &context, const Expr *expr, Type expected,
                    const Expr *place) {
  return convertExact(context, widen(context, expr, expected), expected, place);
}

const Expr *convertExact(ExpressionContext &context, const Expr *expr, Type expected,
                         const Expr *place) {
  Type type = expr->type;
  if (type == expected)
    return expr;
  if (type.isSlice() && expected.isSlice() && type.isMut() &&
      context.types.slice(type.element(), false, type.rank()) == expected)
    return context.make(CastExpr{{expected, expr->range}, expr});

  // An array is passed as a slice of it.
  if (type.isArray() && expected.isSlice() && expected.rank() == 1 &&
      type.element() == expected.element())
    return expected.isMut() && !requireWritable(context, *expr)
               ? nullptr
               : context.make(CastExpr{{expected, expr->range}, expr});

  std::string fix = castText(*expr, expected);
  const bool hasName = expected.isVector() &&
                       !expected.element().isBool(); // masks have no name that could be written
  if (hasName && expected.element() == type && expr->range.text().size() < 40)
    fix = expected.str() + "(" + expr->range.text().str() + ")";
  if (expected.isBool())
    fix = conditionText(*expr);
  std::string hint = writeHint(fix);
  if (std::string division = divisionText(*expr, expected); !division.empty()) {
    fix = division;
    hint = writeHint(fix) + ", as '/' of integers drops the fraction";
  }
  if (auto *constant = llvm::dyn_cast<ConstantExpr>(expr);
      constant && type.isInt() && expected.isInt() && !fitsIn(*constant, expected)) {
    fix.clear(); // a cast would change the value
    llvm::SmallString<24> value;
    constant->intValue.toString(value, 10, type.isSignedInt());
    hint = ("; " + expected.str() + " cannot hold " + value).str();
  }
  if (hint.empty() && type.isSlice() && expected.isSlice())
    hint = rankHint(*expr, expected.rank());
  diag::Builder message = context.diagnostics.emit(
      expr->range, diag::TypeMismatch, quoted(expr->range), type.str(), expected.str(), hint);
  if (!fix.empty())
    message.fix(fix);
  noteLiteral(context.session, message, *expr, expected);
  if (place)
    noteLiteral(context.session, message, *place, type);
  return nullptr;
}

const ConstantExpr *checkLength(ExpressionContext &context, const syntax::Expr &expr,
                                StringRef hint) {
  const Type i64 = context.types.get(TypeKind::I64);
  context.scopes.enter();
  const Expr *value = checkValue(context, expr, i64);
  context.scopes.leave();
  const std::string remedy = hint.empty() ? constantHint(context, expr) : hint.str();
  if (value && !value->type.isInt()) // a cast does not help if the value is not constant either
    value = context.session.constantOf(*value, remedy) ? convert(context, value, i64) : nullptr;
  return llvm::dyn_cast_or_null<ConstantExpr>(value ? context.session.constantOf(*value, remedy)
                                                    : nullptr);
}

int64_t countOf(const ConstantExpr &constant) {
  return constant.type.isSignedInt() ? constant.intValue.getSExtValue()
                                     : int64_t(constant.intValue.getLimitedValue(INT64_MAX));
}

const ConstantExpr *checkConstantHere(ExpressionContext &context, const syntax::Expr &expr,
                                      Type expected, StringRef hint) {
  const Expr *value = checkAs(context, expr, expected);
  return llvm::dyn_cast_or_null<ConstantExpr>(value ? context.session.constantOf(*value, hint)
                                                    : nullptr);
}

const Expr *checkAlone(ExpressionContext &context, const syntax::Expr &expr, Type expected) {
  context.scopes.enter();
  const Expr *value = expected ? checkAs(context, expr, expected) : checkValue(context, expr);
  context.scopes.leave();
  return value;
}

} // namespace spl::sema

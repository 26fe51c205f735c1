// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/TypeNumbers.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Aggregates.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/expressions/Literals.h"

namespace spl::sema {

using llvm::APFloat, llvm::APInt;

namespace {

enum class TypeNumber { Max, Min, Epsilon, MinPositive, Bits };

constexpr std::pair<StringRef, TypeNumber> names[] = {
    {"MAX", TypeNumber::Max},
    {"MIN", TypeNumber::Min},
    {"BITS", TypeNumber::Bits},
    {"EPSILON", TypeNumber::Epsilon},
    {"MIN_POSITIVE", TypeNumber::MinPositive},
};

} // namespace

static std::optional<APInt> ofInteger(TypeNumber number, unsigned bits, bool isSigned) {
  switch (number) {
  case TypeNumber::Max:
    return isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  case TypeNumber::Min:
    return isSigned ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits);
  default:
    return std::nullopt;
  }
}

static std::optional<APFloat> ofFloat(TypeNumber number, const llvm::fltSemantics &semantics) {
  switch (number) {
  case TypeNumber::Max:
    return APFloat::getLargest(semantics);
  case TypeNumber::Min:
    return APFloat::getLargest(semantics, /*Negative=*/true);
  case TypeNumber::Epsilon: {
    const int digits = int(APFloat::semanticsPrecision(semantics));
    return scalbn(APFloat::getOne(semantics), 1 - digits, APFloat::rmNearestTiesToEven);
  }
  case TypeNumber::MinPositive:
    return APFloat::getSmallestNormalized(semantics);
  case TypeNumber::Bits:
    return std::nullopt;
  }
  llvm_unreachable("every number is above");
}

/// The constant of a scalar type, or null.
static const Expr *makeNumber(Session &session, TypeNumber number, Type type, SourceRange range) {
  if (type.isFloat()) {
    std::optional<APFloat> value = ofFloat(number, semanticsOf(type));
    return value ? makeConstant(session, type, range, *value) : nullptr;
  }
  std::optional<APInt> value = ofInteger(number, type.bits(), type.isSignedInt());
  return value ? makeConstant(session, type, range, *value) : nullptr;
}

static void reportUnknown(Session &session, const syntax::MemberExpr &expr, Type type) {
  const StringRef name = expr.member.name;
  std::string known, hint;
  for (auto [each, number] : names) {
    if (number != TypeNumber::Bits && !makeNumber(session, number, type.lane(), expr.range))
      continue;
    known += ((known.empty() ? "" : ", ") + each).str();
    if (name.equals_insensitive(each))
      hint = didYouMean(each);
  }
  if (name == "INF" || name == "INFINITY" || name == "NAN")
    hint = writeHint(name == "NAN" ? "math.NAN" : "math.INF");
  if (hint.empty())
    hint = "; its constants are " + known;
  session.diagnostics.emit(expr.member.range, diag::UnknownMember, quoted(expr.base->range),
                           shown(name), hint);
}

const Expr *checkTypeNumber(Session &session, const syntax::MemberExpr &expr, Type type) {
  const auto *found =
      llvm::find_if(names, [&](auto &each) { return each.first == expr.member.name; });
  if (type.lane().isNumber() && found != std::end(names)) {
    if (found->second == TypeNumber::Bits)
      return makeConstant(session, session.types.get(TypeKind::I64), expr.range,
                          APInt(64, uint64_t(type.lane().bits()) * type.lanes()));
    if (const Expr *number = makeNumber(session, found->second, type.lane(), expr.range))
      return type.isVector() ? makeSplat(session, number, type) : number;
  }
  reportUnknown(session, expr, type);
  return nullptr;
}

const Expr *checkSizeOf(ExpressionContext &context, const syntax::CallExpr &call,
                        ArrayRef<const syntax::Expr *> brackets) {
  Type type = readTypeArgument(context, "size_of", call.callee->range, brackets, "f32");
  if (!call.arguments.empty()) {
    context.diagnostics.emit(call.range, diag::ArgumentCount, "size_of", counted(0, "argument"),
                             call.arguments.size(), "");
    return abandonCall(context, call);
  }
  if (type.isError())
    return nullptr;
  if (type.isSlice() || type.holdsSlices()) {
    context.diagnostics.emit(brackets.front()->range, diag::SizeOfSlices, type.str());
    return nullptr;
  }
  return makeConstant(context.session, context.types.get(TypeKind::I64), call.range,
                      APInt(64, uint64_t(type.layout().size)));
}

} // namespace spl::sema

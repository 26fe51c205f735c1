// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "llvm/ADT/APSInt.h"

namespace spl::sema {

static llvm::APFloat parse(StringRef digits, bool isNegative, const llvm::fltSemantics &semantics,
                           llvm::RoundingMode rounding) {
  llvm::APFloat value(semantics);
  if (digits == "inf")
    return llvm::APFloat::getInf(semantics, isNegative);
  if (digits == "nan")
    return llvm::APFloat::getQNaN(semantics, isNegative);
  llvm::cantFail(value.convertFromString(digits, rounding).takeError());
  if (isNegative)
    value.changeSign();
  return value;
}

const Expr *makeConstant(Session &session, Type type, SourceRange range, llvm::APInt value) {
  return session.make(ConstantExpr{{type, range}, false, std::move(value), llvm::APFloat(0.0f)});
}

const Expr *makeConstant(Session &session, Type type, SourceRange range,
                         const llvm::APFloat &value) {
  return session.make(ConstantExpr{{type, range}, true, llvm::APInt(1, 0), value});
}

static StringRef suffixOf(const syntax::Expr &literal) {
  if (literal.kind == syntax::Expr::Kind::Int)
    return static_cast<const syntax::IntExpr &>(literal).suffix;
  if (literal.kind == syntax::Expr::Kind::Float)
    return static_cast<const syntax::FloatExpr &>(literal).suffix;
  return {};
}

static StringRef digitsOf(const syntax::Expr &literal) {
  if (literal.kind == syntax::Expr::Kind::Float)
    return static_cast<const syntax::FloatExpr &>(literal).digits;
  return mathConstant(static_cast<const syntax::MemberExpr &>(literal));
}

static std::string holding(Type type) {
  unsigned bits = type.bits();
  llvm::SmallString<48> text;
  if (type.isSignedInt()) {
    llvm::APInt::getSignedMinValue(bits).toStringSigned(text);
    text += " to ";
    llvm::APInt::getSignedMaxValue(bits).toStringSigned(text);
  } else {
    text += "0 to ";
    llvm::APInt::getMaxValue(bits).toStringUnsigned(text);
  }
  return text.str().str();
}

static const Expr *intLiteral(Session &session, const syntax::IntExpr &literal, bool isNegative,
                              SourceRange range, Type type) {
  llvm::APInt magnitude(128, literal.value);
  if (type.isFloat()) {
    llvm::APFloat value(semanticsOf(type));
    value.convertFromAPInt(magnitude, false, llvm::RoundingMode::NearestTiesToEven);
    if (isNegative)
      value.changeSign();
    return makeConstant(session, type, range, value);
  }
  llvm::APInt value = isNegative ? -magnitude : magnitude;
  bool fits = type.isSignedInt() ? value.isSignedIntN(type.bits()) : value.isIntN(type.bits());
  if (fits)
    return makeConstant(session, type, range, value.trunc(type.bits()));
  session.diagnostics.emit(range, diag::LiteralOutOfRange, quoted(range), type.str(),
                           holding(type));
  return nullptr;
}

/// Reports a literal that is too large for its float type. Returns false if it reports one.
static bool requireFinite(Session &session, const ConstantExpr &literal) {
  if (!literal.floatValue.isInfinity())
    return true;
  Type type = literal.type;
  llvm::SmallString<32> largest;
  llvm::APFloat::getLargest(semanticsOf(type))
      .toString(largest, type.bits() == 64   ? 17
                         : type.bits() == 32 ? 8
                                             : 5);
  session.diagnostics.emit(literal.range, diag::LiteralOutOfRange, quoted(literal.range),
                           type.str(), ("numbers up to " + largest).str());
  return false;
}

static const Expr *floatLiteral(Session &session, StringRef digits, bool isNegative,
                                SourceRange range, Type type) {
  llvm::APFloat value =
      parse(digits, isNegative, semanticsOf(type), llvm::RoundingMode::NearestTiesToEven);
  const Expr *result = makeConstant(session, type, range, value);
  bool isWritten = digits != "inf" && digits != "nan";
  return isWritten && !requireFinite(session, *llvm::cast<ConstantExpr>(result)) ? nullptr : result;
}

const Expr *checkLiteral(Session &session, const syntax::Expr &literal, bool isNegative,
                         SourceRange range, Type expected) {
  StringRef suffix = suffixOf(literal);
  bool isInt = literal.kind == syntax::Expr::Kind::Int;
  Type type;
  if (!suffix.empty()) {
    syntax::TypeExpr written{syntax::TypeExpr::Kind::Named, literal.range, suffix};
    type = session.resolve(written);
    if (type.isError())
      return nullptr;
  } else {
    type = literalType(session, isInt ? LiteralClass::Int : LiteralClass::Float, expected);
  }
  if (isInt) {
    auto &whole = static_cast<const syntax::IntExpr &>(literal);
    const Expr *value = intLiteral(session, whole, isNegative, range, type);
    auto *constant = llvm::cast_if_present<ConstantExpr>(value);
    return constant && constant->isFloat && !requireFinite(session, *constant) ? nullptr : value;
  }
  return floatLiteral(session, digitsOf(literal), isNegative, range, type);
}

const Expr *castLiteral(Session &session, const syntax::Expr &literal, bool isNegative,
                        SourceRange range, Type to) {
  if (!suffixOf(literal).empty()) {
    const Expr *operand = checkLiteral(session, literal, isNegative, literal.range, {});
    return operand ? session.make(CastExpr{{to, range}, operand}) : nullptr;
  }
  if (literal.kind == syntax::Expr::Kind::Int) {
    auto &whole = static_cast<const syntax::IntExpr &>(literal);
    if (to.isFloat())
      return intLiteral(session, whole, isNegative, range, to);
    llvm::APInt magnitude(128, whole.value);
    return makeConstant(session, to, range, (isNegative ? -magnitude : magnitude).trunc(to.bits()));
  }
  StringRef digits = digitsOf(literal);
  if (to.isFloat())
    return makeConstant(
        session, to, range,
        parse(digits, isNegative, semanticsOf(to), llvm::RoundingMode::NearestTiesToEven));
  // Quad precision represents every 64-bit integer exactly, so the value is rounded only once.
  llvm::APFloat value =
      parse(digits, isNegative, llvm::APFloat::IEEEquad(), llvm::RoundingMode::TowardZero);
  llvm::APSInt saturated(to.bits(), to.isUnsignedInt());
  bool isExact;
  value.convertToInteger(saturated, llvm::RoundingMode::TowardZero, &isExact);
  return makeConstant(session, to, range, saturated);
}

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/ConstantMath.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

namespace spl::sema {
namespace {

using intrinsics::Id;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::ArrayRef;

constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;

APFloat converted(APFloat value, const llvm::fltSemantics &semantics) {
  bool isLossy;
  value.convert(semantics, nearest, &isLossy);
  return value;
}

double toDouble(const APFloat &value) {
  return converted(value, APFloat::IEEEdouble()).convertToDouble();
}

//===-- Functions of the math library, in double --===//

double rsqrt(double x) { return 1 / std::sqrt(x); }
double exp10(double x) { return std::pow(10.0, x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double gelu(double x) { return x < -100 ? -0.0 : 0.5 * x * std::erfc(x * -0x1.6a09e667f3bcdp-1); }

std::optional<double> libraryOf(Id id, double x) {
  switch (id) {
  // clang-format off
  case Id::Sqrt: case Id::FastSqrt: return std::sqrt(x);
  case Id::Rsqrt: case Id::FastRsqrt: return rsqrt(x);
  case Id::Cbrt: return std::cbrt(x);
  case Id::Exp: case Id::FastExp: return std::exp(x);
  case Id::Exp2: case Id::FastExp2: return std::exp2(x);
  case Id::Exp10: case Id::FastExp10: return exp10(x);
  case Id::Expm1: return std::expm1(x);
  case Id::Log: case Id::FastLog: return std::log(x);
  case Id::Log2: case Id::FastLog2: return std::log2(x);
  case Id::Log10: case Id::FastLog10: return std::log10(x);
  case Id::Log1p: return std::log1p(x);
  case Id::Sin: case Id::FastSin: return std::sin(x);
  case Id::Cos: case Id::FastCos: return std::cos(x);
  case Id::Tan: case Id::FastTan: return std::tan(x);
  case Id::Asin: return std::asin(x);
  case Id::Acos: return std::acos(x);
  case Id::Atan: return std::atan(x);
  case Id::Sinh: return std::sinh(x);
  case Id::Cosh: return std::cosh(x);
  case Id::Tanh: case Id::FastTanh: return std::tanh(x);
  case Id::Asinh: return std::asinh(x);
  case Id::Acosh: return std::acosh(x);
  case Id::Atanh: return std::atanh(x);
  case Id::Erf: return std::erf(x);
  case Id::Erfc: return std::erfc(x);
  case Id::Tgamma: return std::tgamma(x);
  case Id::Lgamma: return std::lgamma(x);
  case Id::Sigmoid: return sigmoid(x);
  case Id::Gelu: return gelu(x);
  // clang-format on
  default:
    return std::nullopt;
  }
}

std::optional<double> libraryOf(Id id, double x, double y) {
  switch (id) {
  case Id::Atan2:
    return std::atan2(x, y);
  case Id::Pow:
  case Id::FastPow:
    return std::pow(x, y);
  case Id::Hypot:
    return std::hypot(x, y);
  default:
    return std::nullopt;
  }
}

//===-- Floats --===//

APFloat fused(APFloat a, const APFloat &b, const APFloat &c) {
  a.fusedMultiplyAdd(b, c, nearest);
  return a;
}

APFloat negated(APFloat value) {
  value.changeSign();
  return value;
}

APFloat rounded(APFloat value, llvm::RoundingMode mode) {
  value.roundToIntegral(mode);
  return value;
}

APFloat clamped(const APFloat &x, const APFloat &low, const APFloat &high) {
  return llvm::minimumnum(llvm::maximumnum(x, low), high);
}

Number truth(bool value) { return APSInt(APInt(1, value), /*isUnsigned=*/true); }

/// Written as the expansions of the same rows are (mir/transforms/ExpandFloats.cpp).
std::optional<Number> floatOf(Id id, ArrayRef<APFloat> v) {
  const APFloat &x = v[0];
  const llvm::fltSemantics &semantics = x.getSemantics();
  auto number = [&](int value) { return converted(APFloat(double(value)), semantics); };
  switch (id) {
  case Id::Fma:
    return fused(x, v[1], v[2]);
  case Id::Abs:
    return llvm::abs(x);
  case Id::Min:
    return llvm::minimumnum(x, v[1]);
  case Id::Max:
    return llvm::maximumnum(x, v[1]);
  case Id::Clamp:
    return clamped(x, v[1], v[2]);
  case Id::Sign:
    return x.isZero() || x.isNaN() ? x : APFloat::copySign(number(1), x);
  case Id::Copysign:
    return APFloat::copySign(x, v[1]);
  case Id::Floor:
    return rounded(x, llvm::RoundingMode::TowardNegative);
  case Id::Ceil:
    return rounded(x, llvm::RoundingMode::TowardPositive);
  case Id::Trunc:
    return rounded(x, llvm::RoundingMode::TowardZero);
  case Id::Round:
    return rounded(x, llvm::RoundingMode::NearestTiesToAway);
  case Id::Rint:
    return rounded(x, nearest);
  case Id::Fract:
    return x - rounded(x, llvm::RoundingMode::TowardNegative);
  case Id::Fmod: {
    APFloat rest = x;
    rest.mod(v[1]);
    return rest;
  }
  case Id::Mix:
    return fused(v[2], v[1], fused(negated(v[2]), x, x));
  case Id::Step:
    return number(v[1] < x ? 0 : 1);
  case Id::Smoothstep: {
    APFloat t = clamped((v[2] - x) / (v[1] - x), number(0), number(1));
    return t * t * fused(number(-2), t, number(3));
  }
  case Id::Relu:
    return llvm::maximumnum(x, number(0));
  case Id::Isnan:
    return truth(x.isNaN());
  case Id::Isinf:
    return truth(x.isInfinity());
  case Id::Isfinite:
    return truth(x.isFinite());
  case Id::Signbit:
    return truth(x.isNegative());
  default:
    break;
  }
  std::optional<double> value = v.size() == 1   ? libraryOf(id, toDouble(x))
                                : v.size() == 2 ? libraryOf(id, toDouble(x), toDouble(v[1]))
                                                : std::nullopt;
  return value ? std::optional<Number>(converted(APFloat(*value), semantics)) : std::nullopt;
}

/// Beyond the bound every exponent does the same.
APFloat ldexp(const APFloat &x, const APSInt &exponent) {
  constexpr int64_t bound = 5000;
  const APSInt low = APSInt::get(-bound), high = APSInt::get(bound);
  int64_t count = bound;
  if (APSInt::compareValues(exponent, low) < 0)
    count = -bound;
  else if (APSInt::compareValues(exponent, high) < 0)
    count = exponent.getExtValue();
  return scalbn(x, int(count), nearest);
}

//===-- Integers --===//

APInt rotated(const APInt &value, const APInt &count, bool isLeft) {
  const uint64_t amount = count.zextOrTrunc(64).getZExtValue() % value.getBitWidth();
  return isLeft ? value.rotl(amount) : value.rotr(amount);
}

APInt highProduct(const APSInt &a, const APSInt &b) {
  const unsigned width = a.getBitWidth();
  return (a.extend(2 * width) * b.extend(2 * width)).lshr(width).trunc(width);
}

std::optional<Number> integerOf(Id id, ArrayRef<APSInt> v) {
  const APSInt &x = v[0];
  auto number = [&](const APInt &value) { return APSInt(value, x.isUnsigned()); };
  auto counted = [&](uint64_t value) { return number(APInt(x.getBitWidth(), value)); };
  switch (id) {
  case Id::Abs:
    return x.isUnsigned() ? x : number(x.abs());
  case Id::Min:
    return std::min(x, v[1]);
  case Id::Max:
    return std::max(x, v[1]);
  case Id::Clamp:
    return std::min(std::max(x, v[1]), v[2]);
  case Id::Sign:
    return x.isZero()       ? x
           : x.isNegative() ? number(APInt::getAllOnes(x.getBitWidth()))
                            : counted(1);
  case Id::Popcount:
    return counted(x.popcount());
  case Id::Clz:
    return counted(x.countl_zero());
  case Id::Ctz:
    return counted(x.countr_zero());
  case Id::ReverseBits:
    return number(x.reverseBits());
  case Id::Rotl:
    return number(rotated(x, v[1], true));
  case Id::Rotr:
    return number(rotated(x, v[1], false));
  case Id::Mulhi:
    return number(highProduct(x, v[1]));
  default:
    return std::nullopt;
  }
}

template <class T> std::optional<llvm::SmallVector<T, 3>> allOf(ArrayRef<Number> numbers) {
  llvm::SmallVector<T, 3> values;
  for (const Number &number : numbers) {
    if (!std::holds_alternative<T>(number))
      return std::nullopt;
    values.push_back(std::get<T>(number));
  }
  return values;
}

/// Floats of 16 bits are computed in f32 and rounded once.
bool isWidened(Id id, const APFloat &value) {
  return id != Id::Fma && APFloat::semanticsSizeInBits(value.getSemantics()) == 16;
}

} // namespace

std::optional<Number> mathOf(Id id, ArrayRef<Number> arguments) {
  if (arguments.empty())
    return std::nullopt;
  if (id == Id::Select)
    return arguments[std::get<APSInt>(arguments[0]).isZero() ? 2 : 1];
  if (auto integers = allOf<APSInt>(arguments))
    return integerOf(id, *integers);
  if (id == Id::Ldexp)
    return ldexp(std::get<APFloat>(arguments[0]), std::get<APSInt>(arguments[1]));
  auto floats = allOf<APFloat>(arguments);
  if (!floats)
    return std::nullopt;
  const llvm::fltSemantics &semantics = floats->front().getSemantics();
  if (!isWidened(id, floats->front()))
    return floatOf(id, *floats);
  for (APFloat &value : *floats)
    value = converted(value, APFloat::IEEEsingle());
  std::optional<Number> wide = floatOf(id, *floats);
  if (wide && std::holds_alternative<APFloat>(*wide))
    return converted(std::get<APFloat>(*wide), semantics);
  return wide;
}

} // namespace spl::sema

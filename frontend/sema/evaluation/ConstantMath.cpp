// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/evaluation/ConstantMath.h"
#include "intrinsics/Rows.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <string_view>

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

using Unary = double (*)(double);
constexpr Unary unaryOf(Id id) {
  switch (id) {
    // clang-format off
  case Id::Sqrt: case Id::FastSqrt: return std::sqrt;
  case Id::Rsqrt: case Id::FastRsqrt: return rsqrt;
  case Id::Cbrt: return std::cbrt;
  case Id::Exp: case Id::FastExp: return std::exp;
  case Id::Exp2: case Id::FastExp2: return std::exp2;
  case Id::Exp10: case Id::FastExp10: return exp10;
  case Id::Expm1: return std::expm1;
  case Id::Log: case Id::FastLog: return std::log;
  case Id::Log2: case Id::FastLog2: return std::log2;
  case Id::Log10: case Id::FastLog10: return std::log10;
  case Id::Log1p: return std::log1p;
  case Id::Sin: case Id::FastSin: return std::sin;
  case Id::Cos: case Id::FastCos: return std::cos;
  case Id::Tan: case Id::FastTan: return std::tan;
  case Id::Asin: return std::asin;
  case Id::Acos: return std::acos;
  case Id::Atan: return std::atan;
  case Id::Sinh: return std::sinh;
  case Id::Cosh: return std::cosh;
  case Id::Tanh: case Id::FastTanh: return std::tanh;
  case Id::Asinh: return std::asinh;
  case Id::Acosh: return std::acosh;
  case Id::Atanh: return std::atanh;
  case Id::Erf: return std::erf;
  case Id::Erfc: return std::erfc;
  case Id::Tgamma: return std::tgamma;
  case Id::Lgamma: return std::lgamma;
  case Id::Sigmoid: return sigmoid;
  case Id::Gelu: return gelu;
  default: return nullptr;
    // clang-format on
  }
}

using Binary = double (*)(double, double);
constexpr Binary binaryOf(Id id) {
  switch (id) {
    // clang-format off
  case Id::Atan2: return std::atan2;
  case Id::Pow: case Id::FastPow: return std::pow;
  case Id::Hypot: return std::hypot;
  default: return nullptr;
    // clang-format on
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

/// Returns an integer value in the format of another number.
APFloat number(int value, const APFloat &like) {
  return converted(APFloat(double(value)), like.getSemantics());
}

APFloat sign(const APFloat &x) {
  return x.isZero() || x.isNaN() ? x : APFloat::copySign(number(1, x), x);
}

APFloat fract(const APFloat &x) { return x - rounded(x, llvm::RoundingMode::TowardNegative); }

APFloat remainder(APFloat x, const APFloat &y) {
  x.mod(y);
  return x;
}

APFloat mix(const APFloat &a, const APFloat &b, const APFloat &t) {
  return fused(t, b, fused(negated(t), a, a));
}

APFloat smoothstep(const APFloat &low, const APFloat &high, const APFloat &x) {
  APFloat t = clamped((x - low) / (high - low), number(0, x), number(1, x));
  return t * t * fused(number(-2, x), t, number(3, x));
}

Number truth(bool value) { return APSInt(APInt(1, value), /*isUnsigned=*/true); }

/// These functions use the same operations as the expansions of their rows
/// (mir/transforms/ExpandFloats.cpp).
using Floats = ArrayRef<APFloat>;
using Exact = Number (*)(Floats);
constexpr Exact exactOf(Id id) {
  using Mode = llvm::RoundingMode;
  switch (id) {
    // clang-format off
  case Id::Fma: return [](Floats v) -> Number { return fused(v[0], v[1], v[2]); };
  case Id::Abs: return [](Floats v) -> Number { return llvm::abs(v[0]); };
  case Id::Min: return [](Floats v) -> Number { return llvm::minimumnum(v[0], v[1]); };
  case Id::Max: return [](Floats v) -> Number { return llvm::maximumnum(v[0], v[1]); };
  case Id::Clamp: return [](Floats v) -> Number { return clamped(v[0], v[1], v[2]); };
  case Id::Sign: return [](Floats v) -> Number { return sign(v[0]); };
  case Id::Copysign: return [](Floats v) -> Number { return APFloat::copySign(v[0], v[1]); };
  case Id::Floor: return [](Floats v) -> Number { return rounded(v[0], Mode::TowardNegative); };
  case Id::Ceil: return [](Floats v) -> Number { return rounded(v[0], Mode::TowardPositive); };
  case Id::Trunc: return [](Floats v) -> Number { return rounded(v[0], Mode::TowardZero); };
  case Id::Round: return [](Floats v) -> Number { return rounded(v[0], Mode::NearestTiesToAway); };
  case Id::Rint: return [](Floats v) -> Number { return rounded(v[0], nearest); };
  case Id::Fract: return [](Floats v) -> Number { return fract(v[0]); };
  case Id::Fmod: return [](Floats v) -> Number { return remainder(v[0], v[1]); };
  case Id::Mix: return [](Floats v) -> Number { return mix(v[0], v[1], v[2]); };
  case Id::Step: return [](Floats v) -> Number { return number(v[1] < v[0] ? 0 : 1, v[0]); };
  case Id::Smoothstep: return [](Floats v) -> Number { return smoothstep(v[0], v[1], v[2]); };
  case Id::Relu: return [](Floats v) -> Number { return llvm::maximumnum(v[0], number(0, v[0])); };
  case Id::Isnan: return [](Floats v) -> Number { return truth(v[0].isNaN()); };
  case Id::Isinf: return [](Floats v) -> Number { return truth(v[0].isInfinity()); };
  case Id::Isfinite: return [](Floats v) -> Number { return truth(v[0].isFinite()); };
  case Id::Signbit: return [](Floats v) -> Number { return truth(v[0].isNegative()); };
  default: return nullptr;
    // clang-format on
  }
}

Number floatOf(Id id, Floats v) {
  if (Exact exact = exactOf(id))
    return exact(v);
  Unary unary = unaryOf(id);
  double value = unary ? unary(toDouble(v[0])) : binaryOf(id)(toDouble(v[0]), toDouble(v[1]));
  return converted(APFloat(value), v[0].getSemantics());
}

/// Clamps the exponent. Exponents beyond the limit have the same result as the limit.
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

APSInt number(const APInt &value, const APSInt &like) { return APSInt(value, like.isUnsigned()); }
APSInt counted(uint64_t count, const APSInt &like) {
  return number(APInt(like.getBitWidth(), count), like);
}

APSInt absolute(const APSInt &x) { return x.isNegative() ? number(x.abs(), x) : x; }

APSInt sign(const APSInt &x) {
  if (x.isNegative())
    return number(APInt::getAllOnes(x.getBitWidth()), x);
  return counted(!x.isZero(), x);
}

APSInt reversed(const APSInt &x) { return number(x.reverseBits(), x); }

APSInt rotated(const APSInt &value, const APInt &count, bool isLeft) {
  const uint64_t amount = count.zextOrTrunc(64).getZExtValue() % value.getBitWidth();
  return number(isLeft ? value.rotl(amount) : value.rotr(amount), value);
}

APSInt highProduct(const APSInt &a, const APSInt &b) {
  const unsigned width = a.getBitWidth();
  return number((a.extend(2 * width) * b.extend(2 * width)).lshr(width).trunc(width), a);
}

APSInt funnel(const APSInt &high, const APSInt &low, const APInt &count, bool isLeft) {
  const unsigned width = high.getBitWidth();
  const uint64_t amount = count.zextOrTrunc(64).getZExtValue() % width;
  const APInt both = high.concat(low);
  return number(isLeft ? both.shl(amount).lshr(width).trunc(width) : both.lshr(amount).trunc(width),
                high);
}

APSInt permutedBytes(const APSInt &a, const APSInt &b, const APSInt &selectors) {
  const APInt both = b.concat(a);
  APInt result = APInt::getZero(32);
  for (unsigned place = 0; place != 4; ++place) {
    const auto selector = unsigned(selectors.extractBitsAsZExtValue(4, 4 * place));
    const APInt byte = both.extractBits(8, 8 * (selector & 7));
    result.insertBits(selector & 8 ? byte.ashr(7) : byte, 8 * place);
  }
  return number(result, a);
}

/// Extends each byte by the sign of the type.
APSInt dotOfBytes(const APSInt &a, const APSInt &b, const APSInt &c) {
  auto byte = [](const APSInt &word, unsigned place) {
    return number(word.extractBits(8, 8 * place), word).extend(32);
  };
  APSInt sum = c;
  for (unsigned place = 0; place != 4; ++place)
    sum += byte(a, place) * byte(b, place);
  return sum;
}

using Integers = ArrayRef<APSInt>;
using OfIntegers = Number (*)(Integers);
constexpr OfIntegers integerOf(Id id) {
  switch (id) {
    // clang-format off
  case Id::Abs: return [](Integers v) -> Number { return absolute(v[0]); };
  case Id::Min: return [](Integers v) -> Number { return std::min(v[0], v[1]); };
  case Id::Max: return [](Integers v) -> Number { return std::max(v[0], v[1]); };
  case Id::Clamp: return [](Integers v) -> Number { return std::min(std::max(v[0], v[1]), v[2]); };
  case Id::Sign: return [](Integers v) -> Number { return sign(v[0]); };
  case Id::Popcount: return [](Integers v) -> Number { return counted(v[0].popcount(), v[0]); };
  case Id::Clz: return [](Integers v) -> Number { return counted(v[0].countl_zero(), v[0]); };
  case Id::Ctz: return [](Integers v) -> Number { return counted(v[0].countr_zero(), v[0]); };
  case Id::ReverseBits: return [](Integers v) -> Number { return reversed(v[0]); };
  case Id::Rotl: return [](Integers v) -> Number { return rotated(v[0], v[1], true); };
  case Id::Rotr: return [](Integers v) -> Number { return rotated(v[0], v[1], false); };
  case Id::FunnelLeft: return [](Integers v) -> Number { return funnel(v[0], v[1], v[2], true); };
  case Id::FunnelRight: return [](Integers v) -> Number { return funnel(v[0], v[1], v[2], false); };
  case Id::BytePermute: return [](Integers v) -> Number { return permutedBytes(v[0], v[1], v[2]); };
  case Id::Dp4a: return [](Integers v) -> Number { return dotOfBytes(v[0], v[1], v[2]); };
  case Id::Mulhi: return [](Integers v) -> Number { return highProduct(v[0], v[1]); };
  default: return nullptr;
    // clang-format on
  }
}

//===-- All of them --===//

/// Whether the row is a function of math, or the operator %, and the kind of its first parameter is
/// one of `letters`.
constexpr bool takes(const intrinsics::Row &row, std::string_view letters) {
  std::string_view name(row.name.data(), row.name.size());
  std::string_view signature(row.signature.data(), row.signature.size());
  return (name.starts_with("math.") || row.id == Id::Fmod) &&
         letters.find(signature[1]) != letters.npos && (signature[2] == ',' || signature[2] == ')');
}

constexpr bool coversTheTable() {
  for (const intrinsics::Row &row : intrinsics::rows) {
    bool isApart = row.id == Id::Ldexp ||
                   row.id == Id::Sincos; // Ldexp has two types, and Sincos has two results
    int onFloats = !!exactOf(row.id) + !!unaryOf(row.id) + !!binaryOf(row.id);
    if (onFloats != (takes(row, "FN") && !isApart) || !!integerOf(row.id) != takes(row, "NIW"))
      return false;
  }
  return true;
}
static_assert(coversTheTable(), "each function of floats and of integers is above, once");

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
  if (auto integers = allOf<APSInt>(arguments)) {
    OfIntegers function = integerOf(id);
    return function ? std::optional(function(*integers)) : std::nullopt;
  }
  if (id == Id::Ldexp)
    return ldexp(std::get<APFloat>(arguments[0]), std::get<APSInt>(arguments[1]));
  auto floats = allOf<APFloat>(arguments);
  if (!floats || !(exactOf(id) || unaryOf(id) || binaryOf(id)))
    return std::nullopt;
  const llvm::fltSemantics &semantics = floats->front().getSemantics();
  if (!isWidened(id, floats->front()))
    return floatOf(id, *floats);
  for (APFloat &value : *floats)
    value = converted(value, APFloat::IEEEsingle());
  Number wide = floatOf(id, *floats);
  if (auto *real = std::get_if<APFloat>(&wide))
    return converted(*real, semantics);
  return wide;
}

} // namespace spl::sema

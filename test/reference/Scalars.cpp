// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/reference/Scalars.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

namespace spl::reference {
namespace {

using llvm::APFloat;
using llvm::APInt;
using sema::Type;
using sema::TypeKind;
using syntax::BinaryOp;

constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;

const llvm::fltSemantics &semantics(Type type) {
  switch (type.kind()) {
  case TypeKind::F16:
    return APFloat::IEEEhalf();
  case TypeKind::BF16:
    return APFloat::BFloat();
  case TypeKind::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

Bits toBits(const APFloat &value) { return value.bitcastToAPInt().getZExtValue(); }

bool hasSign(Type type) { return type.isSignedInt() || type.isEnum(); }

Bits power(Type type, Bits base, Bits exponent) {
  Bits result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result *= base;
    base *= base;
  }
  return truncated(type, result);
}

Bits binaryOnFloats(BinaryOp op, Type type, Bits lhs, Bits rhs) {
  APFloat a = toFloat(type, lhs), b = toFloat(type, rhs);
  switch (op) {
  case BinaryOp::Add:
    a.add(b, nearest);
    break;
  case BinaryOp::Sub:
    a.subtract(b, nearest);
    break;
  case BinaryOp::Mul:
    a.multiply(b, nearest);
    break;
  case BinaryOp::Div:
    a.divide(b, nearest);
    break;
  default:
    a.mod(b); // fmod in C
  }
  return toBits(a);
}

Bits divided(Type type, Bits lhs, Bits rhs, bool wantsRemainder) {
  if (!hasSign(type))
    return wantsRemainder ? lhs % rhs : lhs / rhs;
  const std::int64_t a = asInteger(type, lhs), b = asInteger(type, rhs);
  if (b == -1) // the minimum divided by -1 is the minimum
    return wantsRemainder ? 0 : truncated(type, Bits{0} - lhs);
  return truncated(type, static_cast<Bits>(wantsRemainder ? a % b : a / b));
}

} // namespace

APFloat toFloat(Type type, Bits value) { return {semantics(type), APInt(type.bits(), value)}; }

Bits truncated(Type type, Bits value) {
  const unsigned bits = type.bits();
  return bits == 64 ? value : value & ((Bits{1} << bits) - 1);
}

std::int64_t asInteger(Type type, Bits value) {
  const unsigned unused = 64 - type.bits();
  return hasSign(type) ? static_cast<std::int64_t>(value << unused) >> unused
                       : static_cast<std::int64_t>(value);
}

bool isNaN(Type type, Bits value) { return type.isFloat() && toFloat(type, value).isNaN(); }

Bits convert(Type from, Type to, Bits value) {
  if (from.isFloat() && to.isFloat()) {
    APFloat result = toFloat(from, value);
    bool isLossy;
    result.convert(semantics(to), nearest, &isLossy);
    return toBits(result);
  }
  if (from.isFloat()) { // saturates; NaN becomes 0
    llvm::APSInt result(to.bits(), to.isUnsignedInt());
    bool isExact;
    toFloat(from, value).convertToInteger(result, llvm::RoundingMode::TowardZero, &isExact);
    return truncated(to, result.getZExtValue());
  }
  const auto integer = static_cast<Bits>(asInteger(from, value));
  if (!to.isFloat())
    return truncated(to, integer);
  APFloat result(semantics(to));
  result.convertFromAPInt(APInt(64, integer), hasSign(from), nearest);
  return toBits(result);
}

Bits unary(syntax::UnaryOp op, Type type, Bits value) {
  if (op != syntax::UnaryOp::Neg)
    return truncated(type, ~value);
  if (!type.isFloat())
    return truncated(type, Bits{0} - value);
  return value ^ Bits{1} << (type.bits() - 1);
}

Bits binary(BinaryOp op, Type type, Bits lhs, Bits rhs) {
  if (type.isFloat())
    return binaryOnFloats(op, type, lhs, rhs);
  switch (op) {
  case BinaryOp::Add:
    return truncated(type, lhs + rhs);
  case BinaryOp::Sub:
    return truncated(type, lhs - rhs);
  case BinaryOp::Mul:
    return truncated(type, lhs * rhs);
  case BinaryOp::Div:
    return divided(type, lhs, rhs, /*wantsRemainder=*/false);
  case BinaryOp::Rem:
    return divided(type, lhs, rhs, /*wantsRemainder=*/true);
  case BinaryOp::Pow:
    return power(type, lhs, rhs);
  case BinaryOp::BitAnd:
    return lhs & rhs;
  case BinaryOp::BitOr:
    return lhs | rhs;
  case BinaryOp::BitXor:
    return lhs ^ rhs;
  default:
    llvm_unreachable("shifts and comparisons have other functions");
  }
}

bool compare(BinaryOp op, Type type, Bits lhs, Bits rhs) {
  bool isLess, isEqual;
  if (type.isFloat()) {
    const auto order = toFloat(type, lhs).compare(toFloat(type, rhs));
    if (order == APFloat::cmpUnordered)
      return op == BinaryOp::Ne;
    isLess = order == APFloat::cmpLessThan;
    isEqual = order == APFloat::cmpEqual;
  } else {
    isLess = hasSign(type) ? asInteger(type, lhs) < asInteger(type, rhs) : lhs < rhs;
    isEqual = lhs == rhs;
  }
  switch (op) {
  case BinaryOp::Eq:
    return isEqual;
  case BinaryOp::Ne:
    return !isEqual;
  case BinaryOp::Lt:
    return isLess;
  case BinaryOp::Le:
    return isLess || isEqual;
  case BinaryOp::Gt:
    return !isLess && !isEqual;
  default:
    return !isLess;
  }
}

Bits shift(BinaryOp op, Type type, Bits value, Bits count) {
  count %= type.bits(); // the width is a power of two, so this is also correct for the bits of a
                        // negative count
  if (op == BinaryOp::Shl)
    return truncated(type, value << count);
  return truncated(type,
                   static_cast<Bits>(hasSign(type) ? asInteger(type, value) >> count
                                                   : static_cast<std::int64_t>(value >> count)));
}

Bits fma(Type type, Bits a, Bits b, Bits c) {
  APFloat result = toFloat(type, a);
  result.fusedMultiplyAdd(toFloat(type, b), toFloat(type, c), nearest);
  return toBits(result);
}

// The square root of a narrow float in double is accurate enough to be rounded again.
Bits sqrt(Type type, Bits value) {
  bool isLossy;
  APFloat wide = toFloat(type, value);
  wide.convert(APFloat::IEEEdouble(), nearest, &isLossy);
  return floatOf(type, std::sqrt(wide.convertToDouble()));
}

Bits least(Type type, Bits a, Bits b) {
  if (type.isFloat())
    return toBits(llvm::minimumnum(toFloat(type, a), toFloat(type, b)));
  return compare(BinaryOp::Lt, type, b, a) ? b : a;
}

Bits greatest(Type type, Bits a, Bits b) {
  if (type.isFloat())
    return toBits(llvm::maximumnum(toFloat(type, a), toFloat(type, b)));
  return compare(BinaryOp::Gt, type, b, a) ? b : a;
}

Bits ldexp(Type type, Bits value, std::int64_t exponent) {
  constexpr std::int64_t enough = 5000; // exceeds the exponents of every type
  exponent = std::min(std::max(exponent, -enough), enough);
  return toBits(scalbn(toFloat(type, value), static_cast<int>(exponent), nearest));
}

Bits roundedToInteger(Type type, Bits value, llvm::RoundingMode mode) {
  APFloat result = toFloat(type, value);
  result.roundToIntegral(mode);
  return toBits(result);
}

Bits floatOf(Type type, double value) {
  APFloat result(value);
  bool isLossy;
  result.convert(semantics(type), nearest, &isLossy);
  return toBits(result);
}

} // namespace spl::reference

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of the reference interpreter on scalars, as docs/language.md defines it. A scalar is
// its bits: an integer in two's complement, a float in IEEE encoding, a bool as 0 or 1, an enum as
// an i32. Bits above the width of the type are zero. No function faults. Callers check divisors and
// exponents first.
#pragma once

#include "frontend/sema/Type.h"
#include "frontend/syntax/Expressions.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/FloatingPointMode.h"

#include <cstdint>

namespace spl::reference {

using Bits = std::uint64_t;

/// The low bits of \p value, by the width of the type.
Bits truncated(sema::Type type, Bits value);
/// An integer, bool or enum as a number. It is sign-extended if the type is signed.
std::int64_t asInteger(sema::Type type, Bits value);
/// A float with its semantics.
llvm::APFloat toFloat(sema::Type type, Bits value);
bool isNaN(sema::Type type, Bits value);

/// `as` between numbers, bools and enums.
Bits convert(sema::Type from, sema::Type to, Bits value);

Bits unary(syntax::UnaryOp op, sema::Type type, Bits value);
/// Arithmetic and bitwise operations. A divisor must not be zero, and an exponent must not be
/// negative.
Bits binary(syntax::BinaryOp op, sema::Type type, Bits lhs, Bits rhs);
bool compare(syntax::BinaryOp op, sema::Type type, Bits lhs, Bits rhs);
/// << and >>. The count has any integer type and is taken modulo the width.
Bits shift(syntax::BinaryOp op, sema::Type type, Bits value, Bits count);

/// a * b + c of floats, with one rounding.
Bits fma(sema::Type type, Bits a, Bits b, Bits c);
Bits sqrt(sema::Type type, Bits value);
/// math.min and math.max. If one operand is NaN the result is the other. -0 is less than +0.
Bits least(sema::Type type, Bits a, Bits b);
Bits greatest(sema::Type type, Bits a, Bits b);
Bits ldexp(sema::Type type, Bits value, std::int64_t exponent);
/// math.floor, ceil, trunc, round and rint.
Bits roundedToInteger(sema::Type type, Bits value, llvm::RoundingMode mode);
Bits floatOf(sema::Type type, double value);

} // namespace spl::reference

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of the reference interpreter on single scalars, as docs/language.md defines it. A
// scalar is its bits: an integer in two's complement, a float in IEEE's encoding, a bool 0 or 1,
// an enum as an i32; all bits above the type's width are zero. Nothing here faults: callers check
// divisors and exponents first.
#pragma once

#include "frontend/sema/Type.h"
#include "frontend/syntax/Expressions.h"
#include "llvm/ADT/FloatingPointMode.h"

#include <cstdint>

namespace spl::reference {

using Bits = std::uint64_t;

/// The bits that a value of the type has.
Bits truncated(sema::Type type, Bits value);
/// An integer, bool or enum as a number: sign-extended where the type has a sign.
std::int64_t asInteger(sema::Type type, Bits value);
bool isNaN(sema::Type type, Bits value);

/// `as` between numbers, bool and enums.
Bits convert(sema::Type from, sema::Type to, Bits value);

Bits unary(syntax::UnaryOp op, sema::Type type, Bits value);
/// Arithmetic and bit operations; a divisor is not zero, an exponent not negative.
Bits binary(syntax::BinaryOp op, sema::Type type, Bits lhs, Bits rhs);
bool compare(syntax::BinaryOp op, sema::Type type, Bits lhs, Bits rhs);
/// << and >> by a count of any integer type, modulo the width.
Bits shift(syntax::BinaryOp op, sema::Type type, Bits value, Bits count);

/// a * b + c of floats, rounded once.
Bits fma(sema::Type type, Bits a, Bits b, Bits c);
Bits sqrt(sema::Type type, Bits value);
/// math.min and math.max: the number where one is NaN, -0 below +0.
Bits least(sema::Type type, Bits a, Bits b);
Bits greatest(sema::Type type, Bits a, Bits b);
Bits ldexp(sema::Type type, Bits value, std::int64_t exponent);
/// math.floor, ceil, trunc, round and rint.
Bits roundedToInteger(sema::Type type, Bits value, llvm::RoundingMode mode);
Bits floatOf(sema::Type type, double value);

} // namespace spl::reference

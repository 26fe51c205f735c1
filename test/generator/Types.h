// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numeric types of random programs, and vectors of them.
#pragma once

#include <string>

namespace spl::generator {

enum class Scalar { I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64 };
inline constexpr int integerCount = 8, scalarCount = 12;

struct Type {
  Scalar scalar = Scalar::I64;
  unsigned lanes = 1;

  bool operator==(const Type &) const = default;
  unsigned bits() const; ///< the width of a lane
  bool isFloat() const { return scalar >= Scalar::F16; }
  bool isSigned() const { return scalar <= Scalar::I64; }
  bool isVector() const { return lanes != 1; }
  Type lane() const { return {scalar, 1}; }
  std::string name() const;
};

inline constexpr Type i32{Scalar::I32}, i64{Scalar::I64}, f32{Scalar::F32}, f64{Scalar::F64};

/// A literal with its suffix. A negative literal is in parentheses.
std::string literal(Type type, const std::string &digits);

} // namespace spl::generator

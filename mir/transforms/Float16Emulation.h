// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emulation of f16 and bf16: conversions by arithmetic on bits, and operations in a wider type that
// round only once. The code has no branches, so that loops with it can be vectorised.
#pragma once

#include "mir/transforms/LaneBuilder.h"
#include "mir/transforms/Passes.h"

namespace spl::mir {

inline bool isFloat16(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

class Float16Emulator : LaneBuilder {
public:
  /// Creates operations before \p op.
  Float16Emulator(mlir::Operation *op, Float16Support f16, Float16Support bf16)
      : LaneBuilder(op), f16(f16), bf16(bf16) {}

  /// Converts to f32, which is exact.
  Value widen(Value half);
  /// Converts an f32, f64 or integer to f16 or bf16, rounded once.
  Value narrow(Value single, Type half);
  Value narrowDouble(Value wide, Type half) { return narrow(oddSingle(wide, {}), half); }
  Value fromInteger(Value integer, bool isUnsigned, Type half);
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c);

  Value negate(Value half);

  /// Whether the target converts f64 to this type in one step, so that it rounds once.
  bool convertsDouble(Type half) const {
    return mlir::getElementTypeOrSelf(half).isF16() && f16 >= Float16Support::Arithmetic;
  }
  Float16Support support(Type half) const {
    return mlir::getElementTypeOrSelf(half).isF16() ? f16 : bf16;
  }

private:
  Value widenF16(Value half);
  Value widenBf16(Value half);
  Value narrowF16(Value single, Type half);
  Value narrowBf16(Value single, Type half);

  /// Replaces a converted integer by infinity if the integer is too large.
  Value overflowing(Value number, Value converted, bool isUnsigned);
  /// Converts wide + missing to f32, rounded to odd. missing is the rounding error of wide, or
  /// null.
  Value oddSingle(Value wide, Value missing);

  Type inI32(Value value) { return withElement(value.getType(), builder.getI32Type()); }
  Type inF32(Value value) { return withElement(value.getType(), builder.getF32Type()); }
  Type inF64(Value value) { return withElement(value.getType(), builder.getF64Type()); }

  Float16Support f16, bf16;
};

} // namespace spl::mir

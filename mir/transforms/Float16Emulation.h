// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 and bf16, the floats of 16 bits, in terms of what a target has: conversions as arithmetic on
// bits, and roundings that go through a wider type without rounding twice. Nothing branches, so
// that loops of it take vectors.
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
  /// Builds before the operation.
  Float16Emulator(mlir::Operation *op, Float16Support f16, Float16Support bf16)
      : LaneBuilder(op), f16(f16), bf16(bf16) {}

  /// The same value in f32.
  Value widen(Value half);
  /// An f32, f64 or integer, rounded once to a type of 16 bits.
  Value narrow(Value single, Type half);
  Value narrowDouble(Value wide, Type half) { return narrow(oddSingle(wide, {}), half); }
  Value fromInteger(Value integer, bool isUnsigned, Type half);
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c);

  Value negate(Value half);

  /// Whether the target rounds f64 to it in one step; all have it in two.
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

  /// An f64, plus what it is missing of the exact value, as the f32 that is rounded to odd.
  Value oddSingle(Value wide, Value missing);

  Type inI32(Value value) { return withElement(value.getType(), builder.getI32Type()); }
  Type inF32(Value value) { return withElement(value.getType(), builder.getF32Type()); }
  Type inF64(Value value) { return withElement(value.getType(), builder.getF64Type()); }

  Float16Support f16, bf16;
};

} // namespace spl::mir

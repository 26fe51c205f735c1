// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds arithmetic that works lane by lane, with the same code for scalars and vectors.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace spl::mir {

/// \p type with the scalar type \p element in place of its own.
inline mlir::Type withElement(mlir::Type type, mlir::Type element) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
    return vector.clone(element);
  return element;
}

class LaneBuilder {
public:
  explicit LaneBuilder(mlir::Operation *op) : builder(op), loc(op->getLoc()) {}

protected:
  using Type = mlir::Type;
  using Value = mlir::Value;

  /// A constant with this number in every lane.
  Value number(double value, Type type) {
    return constant(type, builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value));
  }
  Value integer(int64_t value, Type type) {
    return constant(type, builder.getIntegerAttr(mlir::getElementTypeOrSelf(type), value));
  }

  /// The integer type of the same width, with as many lanes.
  Type bitsType(Type type) {
    unsigned width = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return withElement(type, builder.getIntegerType(width));
  }
  Value bits(Value value) { return make<mlir::arith::BitcastOp>(bitsType(value.getType()), value); }
  Value select(Value condition, Value a, Value b) {
    return make<mlir::arith::SelectOp>(condition, a, b);
  }
  template <class Op, class... Args> Value make(Args... args) {
    return Op::create(builder, loc, args...);
  }

  mlir::OpBuilder builder;
  mlir::Location loc;

private:
  Value constant(Type type, mlir::TypedAttr element) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      element = mlir::DenseElementsAttr::get(vector, mlir::Attribute(element));
    return make<mlir::arith::ConstantOp>(element);
  }
};

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic at one place of MIR, lane by lane, so that a scalar and a vector are built alike.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace spl::mir {

/// A scalar of that type, or a vector of it in as many lanes as \p type has.
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

  /// The number in every lane.
  Value number(double value, Type type) {
    return constant(type, builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value));
  }
  Value integer(int64_t value, Type type) {
    return constant(type, builder.getIntegerAttr(mlir::getElementTypeOrSelf(type), value));
  }

  /// The integers of the same width in as many lanes.
  Type bitsType(Type type) {
    unsigned width = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return withElement(type, builder.getIntegerType(width));
  }
  Value bits(Value value) {
    return make<mlir::arith::BitcastOp>(bitsType(value.getType()), value);
  }
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

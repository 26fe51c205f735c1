// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What spl-expand-intrinsics builds: the replacement of one intrinsic, at its place, from
// arithmetic and other rows of the table. Everything goes lane by lane, so that a scalar and a
// vector are built alike, and nothing branches, so that loops of it take vectors.
#pragma once

#include "intrinsics/Intrinsics.h"
#include "mir/dialect/FastMath.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/LaneBuilder.h"

namespace spl::mir {

class Expansion : LaneBuilder {
public:
  /// Intrinsics that the replacement is made of are appended to \p made. \p index tells it from
  /// other replacements.
  Expansion(IntrinsicOp op, unsigned index, mlir::SmallVectorImpl<IntrinsicOp> &made)
      : LaneBuilder(op), op(op), index(index), made(made) {}

  /// Replaces the uses of the intrinsic; false for a row that nothing is known to replace.
  bool run();
  /// The same for one on floats of 16 bits: computed in f32, rounded once.
  bool runWidened();

private:
  using Id = intrinsics::Id;

  bool replace(mlir::ValueRange values);

  // One for each family, null for a row of another.
  Value expandIds();
  Value expandElementary();
  Value expandGamma();
  Value expandFast();
  Value expandFloats();
  Value expandClasses();
  Value expandSigns();
  Value expandIntegers();
  Value expandVectors();

  Value hyperbolicSine();
  Value hyperbolicCosine();
  Value inverseHyperbolic(Value magnitude, Value smaller);
  Value tgamma();
  Value lgamma();
  Value ldexp();
  Value sign();
  Value gelu();
  Value dot(Value a, Value b);
  Value cross();
  Value reduce(bool isAny);
  Value rotate(bool isLeft);
  Value mulhi();

  //===-- What they are written in --===//

  Value operand(unsigned index) { return op.getOperand(index); }
  bool isDouble() { return mlir::getElementTypeOrSelf(operand(0)).isF64(); }
  /// The number in the type of \p like, in every lane.
  Value number(double value, Value like) { return LaneBuilder::number(value, like.getType()); }
  Value number(double value) { return number(value, operand(0)); }
  Value nan() { return number(std::numeric_limits<double>::quiet_NaN()); }
  Value lane(Value vector, int64_t index);
  int64_t lanes() { return mlir::cast<mlir::VectorType>(operand(0).getType()).getNumElements(); }
  Value call(Id id, mlir::ValueRange operands);
  Value add(Value a, Value b) { return make<mlir::arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<mlir::arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<mlir::arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return make<mlir::arith::DivFOp>(a, b); }
  Value neg(Value a) { return make<mlir::arith::NegFOp>(a); }
  Value abs(Value a) { return call(Id::Abs, a); }
  Value fma(Value a, Value b, Value c) { return call(Id::Fma, {a, b, c}); }
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b) {
    return make<mlir::arith::CmpFOp>(predicate, a, b);
  }
  Value less(Value a, Value b) { return compare(mlir::arith::CmpFPredicate::OLT, a, b); }
  Value same(Value a, Value b) { return compare(mlir::arith::CmpFPredicate::OEQ, a, b); }
  Value isNan(Value a) { return compare(mlir::arith::CmpFPredicate::UNO, a, a); }
  template <class Op, class... Args> Value make(Args... args) {
    Value value = LaneBuilder::make<Op>(args...);
    inheritFastMath(value.getDefiningOp());
    return value;
  }
  /// What is allowed of the intrinsic is allowed of what it is made of.
  void inheritFastMath(mlir::Operation *created) {
    if (allowsFastMath(op))
      allowFastMath(created);
  }

  IntrinsicOp op;
  unsigned index;
  mlir::SmallVectorImpl<IntrinsicOp> &made;
};

} // namespace spl::mir

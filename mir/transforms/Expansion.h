// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The replacement of one intrinsic by spl-expand-intrinsics: arithmetic and other intrinsics. All
// operations work lane by lane, so the same code builds scalars and vectors. The replacement has no
// branches, so that loops with it can be vectorised.
#pragma once

#include "intrinsics/Intrinsics.h"
#include "mir/dialect/FastMath.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/LaneBuilder.h"

namespace spl::mir {

/// The base of the builders of replacements: the operands of the intrinsic, and functions that
/// create operations at its place.
class Expansion : public LaneBuilder {
public:
  /// Appends the intrinsics of the replacement to \p made. \p index is unique in the function.
  Expansion(IntrinsicOp op, unsigned index, mlir::SmallVectorImpl<IntrinsicOp> &made)
      : LaneBuilder(op), op(op), index(index), made(made) {}

protected:
  using Id = intrinsics::Id;

  Value operand(unsigned index) { return op.getOperand(index); }
  bool isDouble() { return mlir::getElementTypeOrSelf(operand(0)).isF64(); }
  /// The number in the type of \p like, in every lane.
  Value number(double value, Value like) { return LaneBuilder::number(value, like.getType()); }
  Value number(double value) { return number(value, operand(0)); }
  Value nan() { return number(std::numeric_limits<double>::quiet_NaN()); }
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
  /// The replacement has the fast-math permissions of the intrinsic.
  void inheritFastMath(mlir::Operation *created) {
    if (allowsFastMath(op))
      allowFastMath(created);
  }

  IntrinsicOp op;
  unsigned index;
  mlir::SmallVectorImpl<IntrinsicOp> &made;
};

/// Replaces the uses of the intrinsic. Returns false for a row without a replacement.
bool expand(IntrinsicOp op, unsigned index, mlir::SmallVectorImpl<IntrinsicOp> &made);
/// Replaces the uses of an intrinsic on f16 or bf16 by the intrinsic on f32, rounded once.
void expandWidened(IntrinsicOp op, unsigned index, mlir::SmallVectorImpl<IntrinsicOp> &made);

// The builders of replacements, one for each family of rows. Each returns null for a row of another
// family.
mlir::Value expandElementary(const Expansion &expansion);
mlir::Value expandGamma(const Expansion &expansion);
mlir::Value expandFast(const Expansion &expansion);
mlir::Value expandFloats(const Expansion &expansion);
mlir::Value expandFloatBits(const Expansion &expansion);
mlir::Value expandIntegers(const Expansion &expansion);
mlir::Value expandVectors(const Expansion &expansion);

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and folds of spl.check, spl.print and spl.float_to_int.
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "spl/abi/PrintKind.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace spl::mir;

/// The number of details of a fault of this kind: a value and its bound, a value, or none.
static unsigned detailCount(FaultKind kind) {
  switch (kind) {
  case FaultKind::IndexOutOfBounds:
  case FaultKind::MisalignedVector:
    return 2;
  case FaultKind::NegativeExponent:
    return 1;
  case FaultKind::DivisionByZero:
  case FaultKind::AssertionFailed:
  case FaultKind::Trap:
  case FaultKind::StepZero:
  case FaultKind::TimeLimit: // the runtime knows the limit
  case FaultKind::GridBarrierMissed:
    return 0;
  }
  llvm_unreachable("every kind is above");
}

LogicalResult CheckOp::verify() {
  unsigned expected = detailCount(getKind());
  if (getDetails().size() != expected)
    return emitOpError() << "of kind " << toString(getKind()) << " reports " << expected
                         << " numbers, not " << getDetails().size();
  if (!getWorkItem().empty() && getWorkItem().size() != 3)
    return emitOpError("names its work-item by three local ids or not at all");
  return success();
}

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

static bool isPrintedAs(Type type, char kind) {
  using spl::abi::PrintKind;
  switch (PrintKind(kind)) {
  case PrintKind::Signed:
  case PrintKind::Unsigned:
    return type.isInteger(64);
  case PrintKind::Bool:
    return type.isInteger(1);
  case PrintKind::F16:
    return type.isF16() || type.isInteger(16); // its bits
  case PrintKind::BF16:
    return type.isBF16() || type.isInteger(16);
  case PrintKind::F32:
    return type.isF32();
  case PrintKind::F64:
    return type.isF64();
  }
  return false;
}

LogicalResult PrintOp::verify() {
  size_t count = getValues().size();
  if (getTexts().size() != count + 1 || getKinds().size() != count ||
      getPrecisions().size() != count)
    return emitOpError() << "of " << count
                         << " values has one text more, a letter and a number each";
  for (auto [value, kind, precision] : llvm::zip_equal(getValues(), getKinds(), getPrecisions()))
    if (!isPrintedAs(value.getType(), kind) || precision < -1 || precision > 100)
      return emitOpError() << "cannot print " << value.getType() << " as '" << StringRef(&kind, 1)
                           << "' with " << precision << " digits";
  return success();
}

LogicalResult FloatToIntOp::verify() {
  Type from = getOperand().getType(), to = getType();
  auto lanes = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getDimSize(0) : 1;
  };
  if (!isa<FloatType>(getElementTypeOrSelf(from)) || !isa<IntegerType>(getElementTypeOrSelf(to)) ||
      getElementTypeOrSelf(to).isInteger(1) || lanes(from) != lanes(to))
    return emitOpError() << "makes integers of as many floats, not " << to << " of " << from;
  return success();
}

OpFoldResult FloatToIntOp::fold(FoldAdaptor adaptor) {
  auto operand = dyn_cast_if_present<FloatAttr>(adaptor.getOperand());
  if (!operand)
    return {};
  // convertToInteger saturates and turns NaN into 0, as the language does.
  llvm::APSInt result(getType().getIntOrFloatBitWidth(), getIsUnsigned());
  bool isExact;
  operand.getValue().convertToInteger(result, llvm::APFloat::rmTowardZero, &isExact);
  return IntegerAttr::get(getType(), result);
}

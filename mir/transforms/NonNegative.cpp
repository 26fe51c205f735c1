// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/NonNegative.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

bool spl::mir::isNonNegative(Value value) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.isNonNegative();
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::AddIOp, arith::MulIOp>(op))
    return cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoSignedWrap() &&
           isNonNegative(op->getOperand(0)) && isNonNegative(op->getOperand(1));
  if (auto intrinsic = dyn_cast_if_present<IntrinsicOp>(op)) // an id or a size
    return intrinsic.getAxis().has_value();
  return isa_and_present<ExtentOp>(op);
}

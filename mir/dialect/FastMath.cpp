// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/dialect/FastMath.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spl::mir {

void allowFastMath(Operation *op) {
  using arith::FastMathFlags;
  constexpr auto flags = FastMathFlags::reassoc | FastMathFlags::nsz | FastMathFlags::arcp |
                         FastMathFlags::contract | FastMathFlags::afn;
  if (auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(arithmetic.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(), flags));
  else if (isa<IntrinsicOp>(op))
    op->setDiscardableAttr(SplDialect::fastMathAttr, UnitAttr::get(op->getContext()));
}

bool allowsFastMath(Operation *intrinsic) {
  return intrinsic->hasAttr(SplDialect::fastMathAttr);
}

} // namespace spl::mir

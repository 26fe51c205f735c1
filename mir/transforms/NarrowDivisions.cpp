// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-narrow-divisions: see Passes.td.
#include "mir/bounds/Walk.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_NARROWDIVISIONS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using bounds::Analysis;

namespace {

bool isWideDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) &&
         op->getResult(0).getType().isInteger(64);
}

bool isPowerOfTwo(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) && number.isPowerOf2();
}

void narrow(Operation *division) {
  OpBuilder builder(division);
  const Location loc = division->getLoc();
  Value dividend = division->getOperand(0), divisor = division->getOperand(1);
  // A shift or a mask is cheap. LLVM simplifies one of 64 bits further, because it knows the range.
  const bool isShift = isPowerOfTwo(divisor);
  if (!isShift) {
    dividend = arith::TruncIOp::create(builder, loc, builder.getI32Type(), dividend);
    divisor = arith::TruncIOp::create(builder, loc, builder.getI32Type(), divisor);
  }
  const bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp>(division);
  Value result = isQuotient ? arith::DivUIOp::create(builder, loc, dividend, divisor).getResult()
                            : arith::RemUIOp::create(builder, loc, dividend, divisor).getResult();
  if (!isShift)
    result = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), result);
  division->getResult(0).replaceAllUsesWith(result);
  division->erase();
}

struct NarrowDivisionsPass : spl::mir::impl::NarrowDivisionsBase<NarrowDivisionsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      runOn(kernel);
  }

  static void runOn(KernelOp kernel) {
    const auto found = kernel.walk([](Operation *op) {
      return isWideDivision(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    SmallVector<Operation *> chosen; // the analysis needs the kernel as it is
    Analysis analysis(kernel);
    bounds::walk(analysis, kernel.getBody().front(), [&](Operation *op) {
      if (isWideDivision(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
            const bounds::Range range = analysis.rangeOf(operand);
            return range.least >= 0 && range.most <= UINT32_MAX;
          }))
        chosen.push_back(op);
    });
    llvm::for_each(chosen, narrow);
  }
};

} // namespace

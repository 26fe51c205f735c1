// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers conversions of floats to integers, and the math operations that are not in the table of
// intrinsics. MLIR's own patterns lower the other arithmetic.
#include "codegen/lower/Lowering.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct FloatToIntPattern : Pattern<mir::FloatToIntOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::FloatToIntOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringRef name = op.getIsUnsigned() ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr(name), ValueRange(adaptor.getOperand()));
    return success();
  }
};

struct FmaPattern : Pattern<math::FmaOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(math::FmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, adaptor.getA(), adaptor.getB(), adaptor.getC());
    return success();
  }
};

} // namespace

void addConversionPatterns(Lowering &lowering) {
  lowering.add<FloatToIntPattern>();
  lowering.add<FmaPattern>();
}

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers spl.print, and spl.check. A check is alone in a block that is entered if it fails
// (Flatten.h). It becomes the report of the fault.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct CheckPattern : Pattern<mir::CheckOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::CheckOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    lowering.hooks->emitFault(op, adaptor.getDetails(), rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PrintPattern : Pattern<mir::PrintOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    lowering.hooks->emitPrint(op, adaptor.getValues(), rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addCheckPatterns(Lowering &lowering) {
  lowering.add<CheckPattern>();
  lowering.add<PrintPattern>();
}

} // namespace spl::codegen

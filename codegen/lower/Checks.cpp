// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl.check: a branch that is hardly ever taken to a block that reports and never comes back.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct CheckPattern : Pattern<mir::CheckOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::CheckOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
    Block *fault = rewriter.createBlock(before->getParent(), before->getParent()->end());
    lowering.hooks->emitFault(op, adaptor.getDetails(), rewriter);
    LLVM::UnreachableOp::create(rewriter, loc);

    rewriter.setInsertionPointToEnd(before);
    constexpr std::pair<uint32_t, uint32_t> likely{1u << 20, 1};
    LLVM::CondBrOp::create(rewriter, loc, adaptor.getCondition(), after, ValueRange(), fault,
                           ValueRange(), likely);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addCheckPatterns(Lowering &lowering) { lowering.add<CheckPattern>(); }

} // namespace spl::codegen

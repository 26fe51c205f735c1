// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/lower/Flatten.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

namespace spl::codegen {
namespace {

constexpr llvm::StringLiteral loopAnnotation = "llvm.loop_annotation";

// before; check; after becomes a branch that is hardly ever taken to a block with the check alone.
struct IsolateCheck : OpRewritePattern<mir::CheckOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(mir::CheckOp check, PatternRewriter &rewriter) const override {
    Location loc = check.getLoc();
    Block *before = check->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(check->getIterator()));
    Block *fault = rewriter.createBlock(after); // scf's patterns look for the last block's end
    LLVM::UnreachableOp::create(rewriter, loc);
    rewriter.moveOpBefore(check, fault, fault->begin());

    rewriter.setInsertionPointToEnd(before);
    constexpr std::pair<uint32_t, uint32_t> likely{1u << 20, 1};
    LLVM::CondBrOp::create(rewriter, loc, check.getCondition(), after, ValueRange(), fault,
                           ValueRange(), likely);
    return success();
  }
};

/// LLVM unrolls all rounds of a loop up to so many instructions, but so many at a time without end.
constexpr uint64_t mostUnrolled = 16384;

uint64_t factorOf(Operation *loop) {
  auto factor = loop->getAttrOfType<IntegerAttr>(mir::SplDialect::unrollAttr);
  return factor ? std::max<uint64_t>(factor.getInt(), 1) : 1;
}

/// Operations of a loop's body with the loops in it unrolled.
uint64_t unrolledSize(Operation *loop) {
  uint64_t size = 0;
  loop->walk([&](Operation *op) {
    uint64_t times = 1;
    for (Operation *around = op->getParentOp(); around != loop && op != loop;
         around = around->getParentOp())
      times = llvm::SaturatingMultiply(times, factorOf(around));
    size = llvm::SaturatingAdd(size, times);
  });
  return size;
}

/// What unrolling a loop asks for, for LLVM; scf.for's pattern hands it to the branch back.
LLVM::LoopAnnotationAttr unrolling(Operation *loop) {
  auto factor = loop->getAttrOfType<IntegerAttr>(mir::SplDialect::unrollAttr);
  if (!factor)
    return {};
  Builder builder(loop->getContext());
  bool isNone = factor.getInt() == 0, isFull = factor.getInt() == 1;
  uint64_t rounds =
      std::min(factorOf(loop), std::max<uint64_t>(mostUnrolled / unrolledSize(loop), 1));
  auto unroll = LLVM::LoopUnrollAttr::get(
      loop->getContext(), /*disable=*/builder.getBoolAttr(isNone),
      isNone || isFull ? IntegerAttr() : builder.getI32IntegerAttr(rounds),
      /*runtimeDisable=*/{}, /*full=*/{}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(loop->getContext(), {}, {}, {}, unroll, {}, {}, {}, {}, {},
                                       {}, {}, {}, {}, {}, {});
}

// MLIR's own pattern reads the condition's operands after it erased it, which only the dialect
// conversion with its late erasure forgives.
struct FlattenWhile : OpRewritePattern<scf::WhileOp> {
  explicit FlattenWhile(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    Location loc = loop.getLoc();
    Block *entering = loop->getBlock();
    Block *rest = rewriter.splitBlock(entering, loop->getIterator());
    Block *condition = loop.getBeforeBody(), *conditionEnd = &loop.getBefore().back();
    Block *body = loop.getAfterBody(), *bodyEnd = &loop.getAfter().back();
    rewriter.inlineRegionBefore(loop.getBefore(), rest);
    rewriter.inlineRegionBefore(loop.getAfter(), rest);

    rewriter.setInsertionPointToEnd(entering);
    cf::BranchOp::create(rewriter, loc, condition, loop.getInits());
    auto test = cast<scf::ConditionOp>(conditionEnd->getTerminator());
    rewriter.setInsertionPoint(test);
    cf::CondBranchOp::create(rewriter, test.getLoc(), test.getCondition(), body, test.getArgs(),
                             rest, ValueRange());
    auto yield = cast<scf::YieldOp>(bodyEnd->getTerminator());
    rewriter.setInsertionPoint(yield);
    auto back = rewriter.replaceOpWithNewOp<cf::BranchOp>(yield, condition, yield.getOperands());
    if (Attribute annotation = loop->getDiscardableAttr(loopAnnotation))
      back->setDiscardableAttr(loopAnnotation, annotation);
    rewriter.replaceOp(loop, test.getArgs());
    rewriter.eraseOp(test);
    return success();
  }
};

} // namespace

// The conversion of cf.br keeps the annotation as what llvm.br does not look at.
void annotateLoops(ModuleOp module) {
  module.walk([](LLVM::BrOp branch) {
    if (auto annotation = branch->getAttrOfType<LLVM::LoopAnnotationAttr>(loopAnnotation)) {
      branch->removeDiscardableAttr(loopAnnotation);
      branch.setLoopAnnotationAttr(annotation);
    }
  });
}

LogicalResult flattenControlFlow(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  patterns.add<IsolateCheck, FlattenWhile>(module.getContext());
  const FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();

  // Every pattern splits a block and moves what comes behind. From the last operation to the first
  // that is little each time; a driver that goes forward, or that records each move as the dialect
  // conversion does, needs quadratic time and memory for a long block.
  module.walk([](Operation *op) { // before any is flattened: how much a loop holds counts
    if (LLVM::LoopAnnotationAttr annotation = unrolling(op))
      op->setDiscardableAttr(loopAnnotation, annotation);
  });
  SmallVector<Operation *> structured;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<mir::CheckOp, scf::IfOp, scf::ForOp, scf::WhileOp>(op))
      structured.push_back(op);
  });
  PatternRewriter rewriter(module.getContext());
  for (Operation *op : llvm::reverse(structured)) {
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return op->emitError("has no lowering to branches");
  }
  return success();
}

} // namespace spl::codegen

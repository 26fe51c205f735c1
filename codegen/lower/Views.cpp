// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers slices of slices, extents, and ub.poison.
#include "codegen/lower/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct ExtentPattern : Pattern<mir::ExtentOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::ExtentOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSlice()[1 + op.getAxis()]);
    return success();
  }
};

struct ReadOnlyPattern : Pattern<mir::ReadOnlyOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::ReadOnlyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getSlice()});
    return success();
  }
};

struct RowPattern : Pattern<mir::RowOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::RowOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type memory = lowering.memoryType(op.getType().getElement());
    SmallVector<Value> parts{elementAddress(op.getLoc(), adaptor.getSlice(),
                                            single(adaptor.getIndices()), memory, rewriter)};
    llvm::append_range(parts, adaptor.getSlice().drop_front(1 + op.getIndices().size()));
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

struct SubslicePattern : Pattern<mir::SubsliceOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::SubsliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type memory = lowering.memoryType(op.getType().getElement());
    Value from = adaptor.getFrom().front();
    // Without nuw: a condition may compare with the count before it is checked that the count is
    // not negative.
    Value address = elementAddress(loc, adaptor.getSlice(), from, memory, rewriter);
    Value count = LLVM::SubOp::create(rewriter, loc, adaptor.getTo().front(), from);
    rewriter.replaceOpWithMultiple(op, {{address, count}});
    return success();
  }
};

/// The number of parts of an array or a vector.
int64_t partCount(Type element) {
  if (auto array = dyn_cast<mir::ArrayType>(element))
    return int64_t(array.getCount());
  return cast<VectorType>(element).getNumElements();
}

struct PartPattern : Pattern<mir::PartOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::PartOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getSlice().getType().getElement(), memory = lowering.memoryType(element);
    Value address =
        elementAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), memory, rewriter);
    int64_t count = 1;
    if (op.getField())
      address = LLVM::GEPOp::create(rewriter, loc, address.getType(), memory, address,
                                    ArrayRef<LLVM::GEPArg>{0, int32_t(*op.getField())},
                                    LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
    else if (!op.isWhole())
      count = partCount(element);
    rewriter.replaceOpWithMultiple(op, {{address, i64Constant(rewriter, loc, count)}});
    return success();
  }
};

/// A select between two slices becomes selects between their parts.
struct SelectSlicePattern : Pattern<arith::SelectOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<mir::SliceType>(op.getType()))
      return failure();
    SmallVector<Value> parts;
    for (auto [whenTrue, whenFalse] : llvm::zip(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(LLVM::SelectOp::create(rewriter, op.getLoc(), adaptor.getCondition().front(),
                                             whenTrue, whenFalse));
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

/// The value of a variable on paths that do not use it. A slice becomes one value for each part.
struct NoValuePattern : Pattern<ub::PoisonOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(lowering.types.convertType(op.getType(), types)))
      return failure();
    SmallVector<Value> parts;
    for (Type type : types)
      parts.push_back(LLVM::PoisonOp::create(rewriter, op.getLoc(), type));
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

struct VectorsPattern : Pattern<mir::VectorsOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::VectorsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t lanes = cast<VectorType>(op.getType().getElement()).getNumElements();
    Value count = LLVM::UDivOp::create(rewriter, loc, adaptor.getSlice()[1],
                                       i64Constant(rewriter, loc, lanes));
    rewriter.replaceOpWithMultiple(op, {{adaptor.getSlice()[0], count}});
    return success();
  }
};

struct IsAlignedPattern : Pattern<mir::IsAlignedOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::IsAlignedOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t align = lowering.layout(op.getSlice().getType().getElement()).align;
    // The address of a view is poison if the view is outside of its slice. The condition may be
    // computed before that is checked.
    Value start = LLVM::FreezeOp::create(rewriter, loc, adaptor.getSlice()[0]);
    Value address = LLVM::PtrToIntOp::create(rewriter, loc, lowering.i64(), start);
    Value beyond =
        LLVM::AndOp::create(rewriter, loc, address, i64Constant(rewriter, loc, align - 1));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq, beyond,
                                              i64Constant(rewriter, loc, 0));
    return success();
  }
};

} // namespace

void addViewPatterns(Lowering &lowering) {
  lowering.add<VectorsPattern>();
  lowering.add<IsAlignedPattern>();
  lowering.add<ExtentPattern>();
  lowering.add<ReadOnlyPattern>();
  lowering.add<RowPattern>();
  lowering.add<SubslicePattern>();
  lowering.add<PartPattern>();
  lowering.add<SelectSlicePattern>();
  lowering.add<NoValuePattern>();
}

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, extents and views of slices, and values that stand for nothing.
#include "codegen/lower/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace spl::codegen {

// The indices are inside the extents (a check stands before, or the access is undefined), so nothing
// on the way wraps.
Value elementAddress(Location loc, ValueRange slice, ValueRange indices, Type element,
                     OpBuilder &builder) {
  constexpr auto noWrap = LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw;
  Value flat = indices.front();
  for (size_t axis = 1; axis < indices.size(); ++axis) {
    Value row = LLVM::MulOp::create(builder, loc, flat, slice[1 + axis], noWrap);
    flat = LLVM::AddOp::create(builder, loc, row, indices[axis], noWrap);
  }
  return LLVM::GEPOp::create(builder, loc, slice.front().getType(), element, slice.front(),
                             ArrayRef<LLVM::GEPArg>{flat},
                             LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
}

SmallVector<Value> single(ArrayRef<ValueRange> values) {
  return llvm::map_to_vector(values, [](ValueRange range) { return range.front(); });
}

namespace {

struct LoadPattern : Pattern<mir::LoadOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type memory = lowering.memoryType(op.getType());
    Value address =
        elementAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), memory, rewriter);
    Value loaded = LLVM::LoadOp::create(rewriter, loc, memory, address);
    if (memory != op.getType()) { // a bool's byte; foreign code may have left more than 1 in it
      Value zero = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI8IntegerAttr(0));
      loaded = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, loaded, zero);
    }
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

struct StorePattern : Pattern<mir::StoreOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getValue().front();
    Type memory = lowering.memoryType(value.getType());
    Value address =
        elementAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), memory, rewriter);
    if (memory != value.getType())
      value = LLVM::ZExtOp::create(rewriter, loc, memory, value);
    LLVM::StoreOp::create(rewriter, loc, value, address);
    rewriter.eraseOp(op);
    return success();
  }
};

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

/// A choice between two slices is one between their parts.
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

/// What a variable holds on the paths that never look at it; of a slice, each part of it.
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

} // namespace

void addMemoryPatterns(Lowering &lowering) {
  lowering.add<LoadPattern>();
  lowering.add<StorePattern>();
  lowering.add<ExtentPattern>();
  lowering.add<ReadOnlyPattern>();
  lowering.add<SelectSlicePattern>();
  lowering.add<NoValuePattern>();
}

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers loads, stores and copies of elements of slices.
#include "codegen/lower/Flatten.h"
#include "codegen/lower/Lowering.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spl::codegen {

// The arithmetic cannot wrap, because the indices are within the extents: a check precedes the
// access, or the access is undefined.
Value elementAddress(Location loc, ValueRange slice, ValueRange indices, Type element,
                     OpBuilder &builder) {
  constexpr auto noWrap = LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw;
  ValueRange extents = slice.drop_front();
  Value flat = indices.front();
  for (size_t axis = 1; axis < extents.size(); ++axis) {
    flat = LLVM::MulOp::create(builder, loc, flat, extents[axis], noWrap);
    if (axis < indices.size())
      flat = LLVM::AddOp::create(builder, loc, flat, indices[axis], noWrap);
  }
  return LLVM::GEPOp::create(builder, loc, slice.front().getType(), element, slice.front(),
                             ArrayRef<LLVM::GEPArg>{flat},
                             LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
}

SmallVector<Value> single(ArrayRef<ValueRange> values) {
  return llvm::map_to_vector(values, [](ValueRange range) { return range.front(); });
}

namespace {

SmallVector<Value> partsOf(Value whole, OpBuilder &builder) {
  int64_t count = cast<LLVM::LLVMStructType>(whole.getType()).getBody().size();
  SmallVector<Value> parts;
  for (int64_t part = 0; part < count; ++part)
    parts.push_back(LLVM::ExtractValueOp::create(builder, whole.getLoc(), whole, part));
  return parts;
}

/// The alignment of a lane of a vector in memory, which may be more than that of the lane's type.
/// LLVM then loads adjacent lanes at once. 0, for the alignment of the type, if the element is none
/// or its place in the vector is not known.
unsigned alignmentOfLane(Value slice, ValueRange indices, Lowering &lowering) {
  auto part = slice.getDefiningOp<mir::PartOp>();
  if (!part || part.getField() || part.isWhole())
    return 0;
  const Type whole = part.getSlice().getType().getElement();
  APInt lane;
  if (!isa<VectorType>(whole) || !matchPattern(indices.front(), m_ConstantInt(&lane)))
    return 0;
  const uint64_t size = lowering.layout(part.getType().getElement()).size;
  return unsigned(llvm::MinAlign(lowering.layout(whole).align, lane.getZExtValue() * size));
}

struct LoadPattern : Pattern<mir::LoadOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type memory = lowering.memoryType(op.getType());
    Value address =
        elementAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), memory, rewriter);
    Value loaded;
    if (op->hasAttr(mir::SplDialect::cacheAttr))
      loaded = lowering.hooks->emitHintedLoad(op, memory, address, rewriter);
    if (!loaded) {
      auto load = LLVM::LoadOp::create(rewriter, loc, memory, address,
                                       alignmentOfLane(op.getSlice(), op.getIndices(), lowering));
      load.setAccessGroupsAttr(op->getAttrOfType<ArrayAttr>(accessGroups));
      loaded = load;
    }
    if (isa<mir::SliceType>(op.getType())) {
      rewriter.replaceOpWithMultiple(op, {partsOf(loaded, rewriter)});
      return success();
    }
    // A bool is a byte in memory. Code in other languages may write values above 1.
    if (memory != op.getType()) {
      Value zero = LLVM::ZeroOp::create(rewriter, loc, memory);
      loaded = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, loaded, zero);
    }
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

/// Builds the representation of a slice in memory from its parts.
Value packed(ValueRange parts, Type memory, OpBuilder &builder) {
  Value whole = LLVM::PoisonOp::create(builder, parts.front().getLoc(), memory);
  for (auto [index, part] : llvm::enumerate(parts))
    whole = LLVM::InsertValueOp::create(builder, part.getLoc(), whole, part, index);
  return whole;
}

struct StorePattern : Pattern<mir::StoreOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type memory = lowering.memoryType(op.getValue().getType());
    Value value = isa<mir::SliceType>(op.getValue().getType())
                      ? packed(adaptor.getValue(), memory, rewriter)
                      : adaptor.getValue().front();
    Value address =
        elementAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), memory, rewriter);
    if (memory != value.getType())
      value = LLVM::ZExtOp::create(rewriter, loc, memory, value);
    if (!op->hasAttr(mir::SplDialect::cacheAttr) ||
        !lowering.hooks->emitHintedStore(op, value, address, rewriter)) {
      auto store = LLVM::StoreOp::create(rewriter, loc, value, address,
                                         alignmentOfLane(op.getSlice(), op.getIndices(), lowering));
      store.setAccessGroupsAttr(op->getAttrOfType<ArrayAttr>(accessGroups));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Uses memcpy, because the two elements are the same or do not overlap.
struct CopyPattern : Pattern<mir::CopyOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getFrom().getType().getElement(), memory = lowering.memoryType(element);
    Lowering::Layout layout = lowering.layout(element);
    Value from =
        elementAddress(loc, adaptor.getFrom(), single(adaptor.getFromIndices()), memory, rewriter);
    Value to =
        elementAddress(loc, adaptor.getTo(), single(adaptor.getToIndices()), memory, rewriter);
    auto copy = LLVM::MemcpyOp::create(rewriter, loc, to, from,
                                       i64Constant(rewriter, loc, int64_t(layout.size)),
                                       /*isVolatile=*/false);
    DictionaryAttr aligned = rewriter.getDictionaryAttr(rewriter.getNamedAttr(
        LLVM::LLVMDialect::getAlignAttrName(), rewriter.getI64IntegerAttr(layout.align)));
    copy.setArgAttrsAttr(rewriter.getArrayAttr({aligned, aligned, rewriter.getDictionaryAttr({})}));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addMemoryPatterns(Lowering &lowering) {
  lowering.add<LoadPattern>();
  lowering.add<StorePattern>();
  lowering.add<CopyPattern>();
}

} // namespace spl::codegen

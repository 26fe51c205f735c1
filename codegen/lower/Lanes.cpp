// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the accesses of the lanes of gangs.
#include "codegen/lower/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// The address of an element that may be outside of the memory.
Value anyAddress(Location loc, ValueRange slice, ValueRange indices, Type element,
                 OpBuilder &builder) {
  ValueRange extents = slice.drop_front();
  Value flat = indices.front();
  for (size_t axis = 1; axis < extents.size(); ++axis) {
    flat = LLVM::MulOp::create(builder, loc, flat, extents[axis]);
    flat = LLVM::AddOp::create(builder, loc, flat, indices[axis]);
  }
  return LLVM::GEPOp::create(builder, loc, slice.front().getType(), element, slice.front(),
                             ArrayRef<LLVM::GEPArg>{flat});
}

/// The address of lane 0, which may be outside of the memory if the mask does not select it.
Value laneAddress(Location loc, ValueRange slice, ValueRange indices, Type element, bool isMasked,
                  OpBuilder &builder) {
  return isMasked ? anyAddress(loc, slice, indices, element, builder)
                  : elementAddress(loc, slice, indices, element, builder);
}

/// The lanes of this type from what was loaded. A bool takes a byte, as in LoadPattern.
Value fromMemory(Value loaded, Type type, OpBuilder &builder) {
  if (loaded.getType() == type)
    return loaded;
  Value zero = LLVM::ZeroOp::create(builder, loaded.getLoc(), loaded.getType());
  return LLVM::ICmpOp::create(builder, loaded.getLoc(), LLVM::ICmpPredicate::ne, loaded, zero);
}

Value toMemory(Value lanes, Type memory, OpBuilder &builder) {
  return lanes.getType() == memory
             ? lanes
             : LLVM::ZExtOp::create(builder, lanes.getLoc(), memory, lanes).getResult();
}

struct PrefetchPattern : Pattern<mir::PrefetchOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::PrefetchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = lowering.memoryType(op.getSlice().getType().getElement());
    Value address = anyAddress(op.getLoc(), adaptor.getSlice(), single(adaptor.getIndices()),
                               element, rewriter);
    constexpr uint32_t toRead = 0, allCaches = 3, data = 1;
    rewriter.replaceOpWithNewOp<LLVM::Prefetch>(op, address, toRead, allCaches, data);
    return success();
  }
};

struct LoadLanesPattern : Pattern<mir::LoadLanesOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::LoadLanesOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getType());
    Type element = lowering.memoryType(type.getElementType());
    const unsigned align = lowering.layout(type.getElementType()).align;
    Type memory = type.clone(element);
    ValueRange mask = op.getMask() ? adaptor.getMask() : ValueRange();
    Value address = laneAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), element,
                                !mask.empty(), rewriter);
    Value loaded;
    if (mask.empty()) {
      loaded = LLVM::LoadOp::create(rewriter, loc, memory, address, align);
    } else {
      Value zero = LLVM::ZeroOp::create(rewriter, loc, memory);
      loaded =
          LLVM::MaskedLoadOp::create(rewriter, loc, memory, address, mask.front(), zero, align);
    }
    rewriter.replaceOp(op, fromMemory(loaded, type, rewriter));
    return success();
  }
};

struct StoreLanesPattern : Pattern<mir::StoreLanesOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::StoreLanesOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getValue().getType());
    Type element = lowering.memoryType(type.getElementType());
    const unsigned align = lowering.layout(type.getElementType()).align;
    ValueRange mask = op.getMask() ? adaptor.getMask() : ValueRange();
    Value value = toMemory(adaptor.getValue().front(), type.clone(element), rewriter);
    Value address = laneAddress(loc, adaptor.getSlice(), single(adaptor.getIndices()), element,
                                !mask.empty(), rewriter);
    if (mask.empty())
      LLVM::StoreOp::create(rewriter, loc, value, address, align);
    else
      LLVM::MaskedStoreOp::create(rewriter, loc, value, address, mask.front(), align);
    rewriter.eraseOp(op);
    return success();
  }
};

Value inEachLane(Location loc, VectorType type, Value scalar, OpBuilder &builder) {
  Value poison = LLVM::PoisonOp::create(builder, loc, type);
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value first = LLVM::InsertElementOp::create(builder, loc, poison, scalar, zero);
  return LLVM::ShuffleVectorOp::create(builder, loc, first, poison,
                                       SmallVector<int32_t>(type.getNumElements(), 0));
}

/// The address for each lane. The index of a lane that the mask does not select may be poison.
Value laneAddresses(Location loc, ValueRange slice, ValueRange indices, VectorType lanes,
                    Type element, std::optional<uint64_t> component, OpBuilder &builder) {
  auto type = lanes.clone(builder.getI64Type());
  auto toLanes = [&](Value value) -> Value {
    return isa<VectorType>(value.getType()) ? value : inEachLane(loc, type, value, builder);
  };
  ValueRange extents = slice.drop_front();
  Value flat = indices.front();
  for (size_t axis = 1; axis < extents.size(); ++axis) {
    const bool isScalar = !isa<VectorType>(flat.getType());
    Value extent = isScalar ? extents[axis] : toLanes(extents[axis]);
    flat = LLVM::MulOp::create(builder, loc, flat, extent);
    Value index = indices[axis];
    if (isa<VectorType>(index.getType()))
      flat = toLanes(flat);
    else if (isa<VectorType>(flat.getType()))
      index = toLanes(index);
    flat = LLVM::AddOp::create(builder, loc, flat, index);
  }
  SmallVector<LLVM::GEPArg> path{toLanes(flat)};
  if (component)
    path.push_back(int32_t(*component));
  Type pointers = VectorType::get(lanes.getShape(), slice.front().getType());
  return LLVM::GEPOp::create(builder, loc, pointers, element, slice.front(), path);
}

Value maskOf(Location loc, VectorType lanes, ValueRange mask, OpBuilder &builder) {
  if (!mask.empty())
    return mask.front();
  auto all = lanes.clone(builder.getI1Type());
  return LLVM::ConstantOp::create(builder, loc, DenseElementsAttr::get(all, true));
}

SmallVector<Value> elementsOf(Location loc, Value vector, OpBuilder &builder) {
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane != cast<VectorType>(vector.getType()).getNumElements(); ++lane)
    elements.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, i64Constant(builder, loc, lane)));
  return elements;
}

/// Loads each lane by itself. CPUs with AVX-512 take as long for the instruction that gathers all,
/// or longer, and LLVM can combine the loads of adjacent elements.
Value loadEach(Location loc, VectorType type, ArrayRef<Value> addresses, unsigned align,
               OpBuilder &builder) {
  Value lanes = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [lane, address] : llvm::enumerate(addresses)) {
    Value number = i64Constant(builder, loc, int64_t(lane));
    Value element = LLVM::LoadOp::create(builder, loc, type.getElementType(), address, align);
    lanes = LLVM::InsertElementOp::create(builder, loc, lanes, element, number);
  }
  return lanes;
}

/// The index of lane 0, and the difference between adjacent lanes.
struct LinearIndex {
  Value first;
  int64_t step;
};

/// The linear index of lanes that spl-gang-loops emitted as a sum of a scalar and constants.
std::optional<LinearIndex> linearIndex(Value index) {
  auto sum = index.getDefiningOp<arith::AddIOp>();
  auto first = sum ? sum.getLhs().getDefiningOp<vector::BroadcastOp>() : vector::BroadcastOp();
  DenseIntElementsAttr numbers;
  if (!first || !matchPattern(sum.getRhs(), m_Constant(&numbers)) || numbers.size() < 2)
    return std::nullopt;
  const int64_t step = numbers.getValues<int64_t>()[1];
  for (auto [lane, number] : llvm::enumerate(numbers.getValues<int64_t>()))
    if (uint64_t(number) != lane * uint64_t(step))
      return std::nullopt;
  return LinearIndex{first.getSource(), step};
}

/// The addresses of the lanes if one index is linear, and the others are the same for all lanes:
/// each is as far from the one before. Scalars are faster than elements of a vector. Otherwise
/// nothing.
SmallVector<Value> equallySpaced(mir::GatherLanesOp op, ValueRange slice, Type element,
                                 ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  SmallVector<Value> first;
  Value distance;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    std::optional<LinearIndex> linear = linearIndex(index);
    if (isa<VectorType>(index.getType()) && (!linear || distance))
      return {};
    first.push_back(rewriter.getRemappedValue(linear ? linear->first : index));
    if (!linear)
      continue;
    distance = i64Constant(rewriter, loc, linear->step);
    for (Value extent : slice.drop_front(axis + 2))
      distance = LLVM::MulOp::create(rewriter, loc, distance, extent);
  }
  if (!distance)
    return {};
  auto offset = [&](Value address, ArrayRef<LLVM::GEPArg> path) -> Value {
    return LLVM::GEPOp::create(rewriter, loc, address.getType(), element, address, path);
  };
  SmallVector<Value> addresses{elementAddress(loc, slice, first, element, rewriter)};
  if (op.getComponent())
    addresses.front() = offset(addresses.front(), {0, int32_t(*op.getComponent())});
  while (int64_t(addresses.size()) != cast<VectorType>(op.getType()).getNumElements())
    addresses.push_back(offset(addresses.back(), {distance}));
  return addresses;
}

struct GatherLanesPattern : Pattern<mir::GatherLanesOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::GatherLanesOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getType());
    VectorType memory = type.clone(lowering.memoryType(type.getElementType()));
    Type element = lowering.memoryType(op.getSlice().getType().getElement());
    const unsigned align = lowering.layout(type.getElementType()).align;
    auto addresses = [&] {
      return laneAddresses(loc, adaptor.getSlice(), single(adaptor.getIndices()), type, element,
                           op.getComponent(), rewriter);
    };
    if (!op.getMask()) {
      SmallVector<Value> each = equallySpaced(op, adaptor.getSlice(), element, rewriter);
      if (each.empty())
        each = elementsOf(loc, addresses(), rewriter);
      Value lanes = loadEach(loc, memory, each, align, rewriter);
      rewriter.replaceOp(op, fromMemory(lanes, type, rewriter));
      return success();
    }
    Value zero = LLVM::ZeroOp::create(rewriter, loc, memory);
    Value loaded = LLVM::masked_gather::create(rewriter, loc, memory, addresses(),
                                               adaptor.getMask().front(), zero, align);
    rewriter.replaceOp(op, fromMemory(loaded, type, rewriter));
    return success();
  }
};

struct ScatterLanesPattern : Pattern<mir::ScatterLanesOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::ScatterLanesOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getValue().getType());
    VectorType memory = type.clone(lowering.memoryType(type.getElementType()));
    Value value = toMemory(adaptor.getValue().front(), memory, rewriter);
    Value addresses = laneAddresses(loc, adaptor.getSlice(), single(adaptor.getIndices()), type,
                                    lowering.memoryType(op.getSlice().getType().getElement()),
                                    op.getComponent(), rewriter);
    Value mask = maskOf(loc, type, op.getMask() ? adaptor.getMask() : ValueRange(), rewriter);
    LLVM::masked_scatter::create(rewriter, loc, value, addresses, mask,
                                 lowering.layout(type.getElementType()).align);
    rewriter.eraseOp(op);
    return success();
  }
};

struct FreezePattern : Pattern<mir::FreezeOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::FreezeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FreezeOp>(op, adaptor.getValue().front());
    return success();
  }
};

} // namespace

void addLanePatterns(Lowering &lowering) {
  lowering.add<PrefetchPattern>();
  lowering.add<LoadLanesPattern>();
  lowering.add<StoreLanesPattern>();
  lowering.add<GatherLanesPattern>();
  lowering.add<ScatterLanesPattern>();
  lowering.add<FreezePattern>();
}

} // namespace spl::codegen

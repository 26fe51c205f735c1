// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the operations of MLIR's vector dialect that MIR uses. Arithmetic on vectors is in
// the dialect arith.
#include "codegen/lower/Lowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;

namespace spl::codegen {
namespace {

/// The lane number of an operation with one position, which may be constant.
template <class Op> Value lane(Op op, ValueRange dynamic, OpBuilder &builder) {
  if (!dynamic.empty())
    return dynamic.front();
  return i64Constant(builder, op.getLoc(), op.getStaticPosition().front());
}

struct ExtractPattern : Pattern<vector::ExtractOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::ExtractOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value position = lane(op, adaptor.getDynamicPosition(), rewriter);
    rewriter.replaceOpWithNewOp<LLVM::ExtractElementOp>(op, adaptor.getSource(), position);
    return success();
  }
};

struct InsertPattern : Pattern<vector::InsertOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::InsertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value position = lane(op, adaptor.getDynamicPosition(), rewriter);
    rewriter.replaceOpWithNewOp<LLVM::InsertElementOp>(op, adaptor.getDest(),
                                                       adaptor.getValueToStore(), position);
    return success();
  }
};

Value buildVector(Location loc, Type type, ValueRange lanes, OpBuilder &builder) {
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, value] : llvm::enumerate(lanes))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, value,
                                           i64Constant(builder, loc, int64_t(index)));
  return vector;
}

struct FromElementsPattern : Pattern<vector::FromElementsOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::FromElementsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, buildVector(op.getLoc(), op.getType(), adaptor.getElements(), rewriter));
    return success();
  }
};

struct BroadcastPattern : Pattern<vector::BroadcastOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getResultVectorType();
    Value first = buildVector(op.getLoc(), type, adaptor.getSource(), rewriter);
    SmallVector<int32_t> everywhere(type.getNumElements(), 0);
    rewriter.replaceOpWithNewOp<LLVM::ShuffleVectorOp>(op, first, first, everywhere);
    return success();
  }
};

struct ShufflePattern : Pattern<vector::ShuffleOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::ShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ShuffleVectorOp>(
        op, adaptor.getV1(), adaptor.getV2(), llvm::to_vector_of<int32_t>(adaptor.getMask()));
    return success();
  }
};

/// The reductions that passes over MIR make. A sum of floats may have any order.
struct ReductionPattern : Pattern<vector::ReductionOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::ReductionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    Value vector = adaptor.getVector();
    switch (op.getKind()) {
    case vector::CombiningKind::AND:
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_and>(op, type, vector);
      return success();
    case vector::CombiningKind::OR:
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_or>(op, type, vector);
      return success();
    case vector::CombiningKind::XOR:
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_xor>(op, type, vector);
      return success();
    case vector::CombiningKind::MINUI:
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_umin>(op, type, vector);
      return success();
    case vector::CombiningKind::ADD: {
      if (type.isInteger()) {
        rewriter.replaceOpWithNewOp<LLVM::vector_reduce_add>(op, type, vector);
        return success();
      }
      Value zero =
          LLVM::ConstantOp::create(rewriter, op.getLoc(), type, rewriter.getFloatAttr(type, -0.0));
      auto flags = LLVM::FastmathFlagsAttr::get(op.getContext(), LLVM::FastmathFlags::reassoc);
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_fadd>(op, type, zero, vector, flags);
      return success();
    }
    default:
      return failure();
    }
  }
};

struct BitCastPattern : Pattern<vector::BitCastOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::BitCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getType(), adaptor.getSource());
    return success();
  }
};

template <class Op> bool isAtFirstLane(Op op) {
  return !op.hasNonUnitStrides() &&
         llvm::all_of(op.getOffsets().template getAsRange<IntegerAttr>(),
                      [](IntegerAttr offset) { return offset.getInt() == 0; });
}

/// The first lanes of a vector.
struct ExtractLanesPattern : Pattern<vector::ExtractStridedSliceOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::ExtractStridedSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isAtFirstLane(op))
      return failure();
    const auto kept = llvm::to_vector(llvm::seq<int32_t>(0, op.getType().getNumElements()));
    rewriter.replaceOpWithNewOp<LLVM::ShuffleVectorOp>(op, adaptor.getSource(), adaptor.getSource(),
                                                       kept);
    return success();
  }
};

/// Replaces the first lanes of a vector.
struct InsertLanesPattern : Pattern<vector::InsertStridedSliceOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::InsertStridedSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isAtFirstLane(op))
      return failure();
    const int64_t few = op.getSourceVectorType().getNumElements(),
                  all = op.getType().getNumElements();
    SmallVector<int32_t> widened(all, -1), chosen;
    std::iota(widened.begin(), widened.begin() + few, 0);
    for (int64_t lane = 0; lane != all; ++lane)
      chosen.push_back(int32_t(lane < few ? lane : all + lane));
    Value source = LLVM::ShuffleVectorOp::create(rewriter, op.getLoc(), adaptor.getValueToStore(),
                                                 adaptor.getValueToStore(), widened);
    rewriter.replaceOpWithNewOp<LLVM::ShuffleVectorOp>(op, source, adaptor.getDest(), chosen);
    return success();
  }
};

} // namespace

void addVectorPatterns(Lowering &lowering) {
  lowering.add<ExtractPattern>();
  lowering.add<InsertPattern>();
  lowering.add<FromElementsPattern>();
  lowering.add<BroadcastPattern>();
  lowering.add<ShufflePattern>();
  lowering.add<ReductionPattern>();
  lowering.add<BitCastPattern>();
  lowering.add<ExtractLanesPattern>();
  lowering.add<InsertLanesPattern>();
}

} // namespace spl::codegen

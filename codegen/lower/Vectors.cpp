// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the five operations of MLIR's vector dialect that MIR uses. Arithmetic on vectors is in
// the dialect arith.
#include "codegen/lower/Lowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

/// Whether any or all lanes of a mask are set.
struct ReductionPattern : Pattern<vector::ReductionOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(vector::ReductionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1))
      return failure();
    if (op.getKind() == vector::CombiningKind::AND)
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_and>(op, op.getType(), adaptor.getVector());
    else if (op.getKind() == vector::CombiningKind::OR)
      rewriter.replaceOpWithNewOp<LLVM::vector_reduce_or>(op, op.getType(), adaptor.getVector());
    else
      return failure();
    return success();
  }
};

} // namespace

void addVectorPatterns(Lowering &lowering) {
  lowering.add<ExtractPattern>();
  lowering.add<InsertPattern>();
  lowering.add<FromElementsPattern>();
  lowering.add<BroadcastPattern>();
  lowering.add<ReductionPattern>();
}

} // namespace spl::codegen

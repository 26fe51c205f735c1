// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers spl.intrinsic by the target's table of lowerings.
#include "llvm/IR/Intrinsics.h"
#include "codegen/lower/Lowering.h"
#include "mir/dialect/FastMath.h"

using namespace mlir;

namespace spl::codegen {
namespace {

using Kind = IntrinsicLowering::Kind;

/// The number of parameters of an LLVM intrinsic.
size_t parameterCount(StringRef name) {
  SmallVector<llvm::Intrinsic::IITDescriptor> slots;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(llvm::Intrinsic::lookupIntrinsicID(name), slots);
  return slots.size() - 1; // the first is the result
}

struct IntrinsicPattern : Pattern<mir::IntrinsicOp> {
  using Pattern::Pattern;

  LogicalResult matchAndRewrite(mir::IntrinsicOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const IntrinsicLowering &how = lowering.target.lowering(op.getRow().id);
    FailureOr<Value> value = lower(op, adaptor.getOperands(), how, rewriter);
    if (failed(value))
      return failure();
    if (*value)
      rewriter.replaceOp(op, *value);
    else
      rewriter.eraseOp(op);
    return success();
  }

  FailureOr<Value> lower(mir::IntrinsicOp op, ValueRange operands, const IntrinsicLowering &how,
                         ConversionPatternRewriter &rewriter) const {
    switch (how.kind) {
    case Kind::Unsupported:
      return op.emitOpError("is not supported by the target"), failure();
    case Kind::Expand:
      return op.emitOpError("should have been expanded by spl-expand-intrinsics"), failure();
    case Kind::Source:
      return op.emitOpError("represents other operations, which the frontend makes"), failure();
    case Kind::Fence: // without a narrower scope, the fence is for the whole system
      LLVM::FenceOp::create(rewriter, op.getLoc(), LLVM::AtomicOrdering::seq_cst,
                            lowering.hooks->syncScope(*op.getScope()));
      return Value();
    case Kind::Own:
      return lowering.hooks->emitOwn(op, operands, how, rewriter);
    case Kind::Llvm:
      return callLlvm(op, operands, how, rewriter);
    case Kind::Library:
      return callLibrary(op, operands, how.name, rewriter);
    case Kind::Approximate:
      return approximate(op, operands, how, rewriter);
    case Kind::Bitcast:
      return LLVM::BitcastOp::create(rewriter, op.getLoc(), op.getType(), operands.front())
          .getResult();
    }
    llvm_unreachable("every kind is above");
  }

  Value callLlvm(mir::IntrinsicOp op, ValueRange operands, const IntrinsicLowering &how,
                 ConversionPatternRewriter &rewriter) const {
    StringRef name = isa<FloatType>(getElementTypeOrSelf(op.getType())) ? how.name
                     : op.getIsUnsigned()                               ? how.unsignedName
                                                                        : how.signedName;
    if (name.empty()) // the identity
      return operands.front();
    SmallVector<Value> arguments(operands);
    // Some intrinsics, such as llvm.abs, have a last parameter that makes some inputs undefined. It
    // is false.
    while (arguments.size() < parameterCount(name))
      arguments.push_back(
          LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(false)));
    auto call = LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), op.getType(),
                                              rewriter.getStringAttr(name), arguments);
    if (mir::allowsFastMath(op))
      call.setFastmathFlags(LLVM::FastmathFlags::reassoc | LLVM::FastmathFlags::nsz |
                            LLVM::FastmathFlags::arcp | LLVM::FastmathFlags::contract |
                            LLVM::FastmathFlags::afn);
    return call.getResult(0);
  }

  /// The approximate instructions have scalar operands.
  Value approximate(mir::IntrinsicOp op, ValueRange operands, const IntrinsicLowering &how,
                    ConversionPatternRewriter &rewriter) const {
    Type element = getElementTypeOrSelf(op.getType());
    auto call = [&](ValueRange arguments) -> Value {
      auto made = LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), element,
                                                rewriter.getStringAttr(how.name), arguments);
      made.setFastmathFlags(LLVM::FastmathFlags::afn);
      return made.getResult(0);
    };
    auto vector = dyn_cast<VectorType>(op.getType());
    return vector ? callInParts(vector, operands, 1, call, op.getLoc(), rewriter) : call(operands);
  }

  FailureOr<Value> callLibrary(mir::IntrinsicOp op, ValueRange operands, StringRef name,
                               ConversionPatternRewriter &rewriter) const {
    auto vector = dyn_cast<VectorType>(op.getType());
    const unsigned lanes = vector ? vector.getNumElements() : 1;
    FailureOr<TargetHooks::LibraryFunction> library =
        lowering.hooks->libraryFunction(op, name, lanes);
    if (failed(library))
      return failure();
    Type element = getElementTypeOrSelf(op.getType()), type = element;
    if (library->lanes > 1)
      type = VectorType::get(library->lanes, element);
    LLVM::LLVMFuncOp function =
        lowering.declare(rewriter, library->symbol, type, SmallVector<Type>(operands.size(), type));
    function.setWillReturn(true);
    function.setMemoryEffectsAttr(noMemory(rewriter.getContext()));
    auto call = [&](ValueRange arguments) {
      return LLVM::CallOp::create(rewriter, op.getLoc(), function, arguments).getResult();
    };
    return vector ? callInParts(vector, operands, library->lanes, call, op.getLoc(), rewriter)
                  : call(operands);
  }

  /// Calls a function of \p taken lanes as often as the vector needs.
  static Value callInParts(VectorType vector, ValueRange operands, unsigned taken,
                           llvm::function_ref<Value(ValueRange)> call, Location loc,
                           ConversionPatternRewriter &rewriter) {
    const int32_t lanes = vector.getNumElements();
    Value result = LLVM::PoisonOp::create(rewriter, loc, vector);
    for (int32_t first = 0; first < lanes; first += taken) {
      SmallVector<Value, 3> parts;
      for (Value operand : operands)
        parts.push_back(takeLanes(operand, first, taken, lanes, loc, rewriter));
      Value part = call(parts);
      if (taken == 1) {
        result = LLVM::InsertElementOp::create(rewriter, loc, result, part,
                                               i64Constant(rewriter, loc, first));
        continue;
      }
      if (taken >= unsigned(lanes)) // the other lanes are unused
        return takeLanes(part, 0, lanes, taken, loc, rewriter);
      for (unsigned lane = 0; lane != taken; ++lane) {
        Value value =
            LLVM::ExtractElementOp::create(rewriter, loc, part, i64Constant(rewriter, loc, lane));
        result = LLVM::InsertElementOp::create(rewriter, loc, result, value,
                                               i64Constant(rewriter, loc, first + lane));
      }
    }
    return result;
  }

  /// Takes \p count lanes of a vector of \p lanes lanes, beginning with \p first. Lanes past the
  /// end repeat the last lane.
  static Value takeLanes(Value vector, int32_t first, unsigned count, int32_t lanes, Location loc,
                         ConversionPatternRewriter &rewriter) {
    if (count == 1)
      return LLVM::ExtractElementOp::create(rewriter, loc, vector,
                                            i64Constant(rewriter, loc, first));
    if (int32_t(count) == lanes)
      return vector;
    SmallVector<int32_t, 16> mask;
    for (int32_t lane = first; lane != first + int32_t(count); ++lane)
      mask.push_back(std::min(lane, lanes - 1));
    return LLVM::ShuffleVectorOp::create(rewriter, loc, vector, vector, mask);
  }

  /// The function depends only on its arguments. The language has no errno.
  static LLVM::MemoryEffectsAttr noMemory(MLIRContext *context) {
    constexpr auto none = LLVM::ModRefInfo::NoModRef;
    return LLVM::MemoryEffectsAttr::get(context, {none, none, none, none, none, none});
  }
};

} // namespace

void addIntrinsicPatterns(Lowering &lowering) { lowering.add<IntrinsicPattern>(); }

} // namespace spl::codegen

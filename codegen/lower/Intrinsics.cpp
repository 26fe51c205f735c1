// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl.intrinsic by the target's column of the intrinsics table.
#include "llvm/IR/Intrinsics.h"
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

using Column = intrinsics::Lowering;

/// How many parameters an LLVM intrinsic declares.
size_t parameterCount(StringRef name) {
  SmallVector<llvm::Intrinsic::IITDescriptor> slots;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(llvm::Intrinsic::lookupIntrinsicID(name), slots);
  return slots.size() - 1; // the first is the result
}

struct IntrinsicPattern : Pattern<mir::IntrinsicOp> {
  using Pattern::Pattern;

  LogicalResult matchAndRewrite(mir::IntrinsicOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Column &column = lowering.target.column(*intrinsics::find(op.getName()));
    FailureOr<Value> value = lower(op, adaptor.getOperands(), column, rewriter);
    if (failed(value))
      return failure();
    rewriter.replaceOp(op, *value);
    return success();
  }

  FailureOr<Value> lower(mir::IntrinsicOp op, ValueRange operands, const Column &column,
                         ConversionPatternRewriter &rewriter) const {
    switch (column.kind) {
    case Column::Kind::Expand:
      return op.emitOpError("should have been expanded by spl-expand-intrinsics"), failure();
    case Column::Kind::Source:
      return op.emitOpError("stands for other operations, which the frontend makes"), failure();
    case Column::Kind::Warp:
    case Column::Kind::Fence:
      return op.emitOpError("has no lowering for this target"), failure(); // see Warps.cpp
    case Column::Kind::Sreg:
    case Column::Kind::WorkItemLoop:
    case Column::Kind::LaunchField:
    case Column::Kind::GroupIndex:
      return lowering.hooks->emitId(op, column, rewriter);
    case Column::Kind::Llvm:
      return callLlvm(op, operands, column, rewriter);
    case Column::Kind::Library:
      return callLibrary(op, operands, column.name, rewriter);
    }
    llvm_unreachable("every kind is above");
  }

  Value callLlvm(mir::IntrinsicOp op, ValueRange operands, const Column &column,
                 ConversionPatternRewriter &rewriter) const {
    StringRef name = isa<FloatType>(op.getType()) ? column.name
                     : op.getIsUnsigned()         ? column.unsignedName
                                                  : column.signedName;
    if (name.empty()) // the value is its own result
      return operands.front();
    SmallVector<Value> arguments(operands);
    // llvm.abs and its like end with a flag that makes some input undefined: no.
    while (arguments.size() < parameterCount(name))
      arguments.push_back(
          LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(false)));
    return LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), op.getType(),
                                         rewriter.getStringAttr(name), arguments)
        .getResult(0);
  }

  FailureOr<Value> callLibrary(mir::IntrinsicOp op, ValueRange operands, StringRef name,
                               ConversionPatternRewriter &rewriter) const {
    FailureOr<std::string> symbol = lowering.hooks->librarySymbol(op, name);
    if (failed(symbol))
      return failure();
    LLVM::LLVMFuncOp function =
        lowering.declare(rewriter, *symbol, op.getType(), operands.getTypes());
    function.setWillReturn(true);
    function.setMemoryEffectsAttr(noMemory(rewriter.getContext()));
    return LLVM::CallOp::create(rewriter, op.getLoc(), function, operands).getResult();
  }

  /// A function of its arguments alone. (errno is nothing that the language sees.)
  static LLVM::MemoryEffectsAttr noMemory(MLIRContext *context) {
    constexpr auto none = LLVM::ModRefInfo::NoModRef;
    return LLVM::MemoryEffectsAttr::get(context, {none, none, none, none, none, none});
  }
};

} // namespace

void addIntrinsicPatterns(Lowering &lowering) { lowering.add<IntrinsicPattern>(); }

} // namespace spl::codegen

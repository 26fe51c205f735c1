// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/lower/LowerToLlvm.h"
#include "codegen/LlvmBackend.h"
#include "codegen/lower/Flatten.h"
#include "codegen/lower/Lowering.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace spl::codegen {

void loadLoweringDialects(MLIRContext &context) {
  context.loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect>();
}

LogicalResult prepareModule(ModuleOp module, const Target &target, LlvmBackend &backend) {
  loadLoweringDialects(*module.getContext());
  Lowering lowering(module, target);
  if (failed(checkSharedMemory(lowering)) || failed(checkLocalMemory(lowering)))
    return failure();
  placeConstants(lowering);
  backend.prepare(module);
  return success();
}

LogicalResult lowerToLlvmDialect(ModuleOp part, const Target &target, const LlvmBackend &backend) {
  if (failed(flattenControlFlow(part)))
    return failure();
  Lowering lowering(part, target);
  markWatchedKernels(part);
  backend.populatePatterns(lowering);
  addFunctionPatterns(lowering);
  addMemoryPatterns(lowering);
  addLanePatterns(lowering);
  addAtomicPatterns(lowering);
  addViewPatterns(lowering);
  addStoragePatterns(lowering);
  addVectorPatterns(lowering);
  addSharedPatterns(lowering);
  addCheckPatterns(lowering);
  addTracePatterns(lowering);
  addIntrinsicPatterns(lowering);
  addConversionPatterns(lowering);
  arith::populateArithToLLVMConversionPatterns(lowering.types, lowering.patterns);
  cf::populateControlFlowToLLVMConversionPatterns(lowering.types, lowering.patterns);

  ConversionTarget legal(*part.getContext());
  legal.addLegalDialect<LLVM::LLVMDialect>();
  legal.addLegalOp<ModuleOp>();
  // One kernel after the other, because the conversion keeps what it replaces until its end.
  const FrozenRewritePatternSet patterns(std::move(lowering.patterns));
  bool isLowered = true;
  for (Operation &op : llvm::make_early_inc_range(*part.getBody()))
    isLowered &= succeeded(applyFullConversion(&op, legal, patterns)); // reports the errors of all
  if (!isLowered)
    return failure();
  annotateLoops(part);
  return success();
}

} // namespace spl::codegen

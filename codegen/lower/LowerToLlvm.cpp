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

LogicalResult lowerToLlvmDialect(ModuleOp module, const Target &target, LlvmBackend &backend) {
  if (failed(flattenControlFlow(module)))
    return failure();
  Lowering lowering(module, target);
  if (failed(checkSharedMemory(lowering)) || failed(checkLocalMemory(lowering)))
    return failure();
  markWatchedKernels(module);
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

  ConversionTarget legal(*module.getContext());
  legal.addLegalDialect<LLVM::LLVMDialect>();
  legal.addLegalOp<ModuleOp>();
  // One kernel after the other, because the conversion keeps what it replaces until its end.
  const FrozenRewritePatternSet patterns(std::move(lowering.patterns));
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (failed(applyFullConversion(&op, legal, patterns)))
      return failure();
  annotateLoops(module);
  return success();
}

void loadLoweringDialects(ModuleOp module) {
  module.getContext()->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect>();
}

} // namespace spl::codegen

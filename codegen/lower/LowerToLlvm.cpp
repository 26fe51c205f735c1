// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/lower/LowerToLlvm.h"
#include "codegen/lower/Lowering.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace spl::codegen {

// First of all, since a check splits its block, which only unstructured control flow lets it do.
static LogicalResult lowerStructuredControlFlow(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget legal(*module.getContext());
  legal.addIllegalDialect<scf::SCFDialect>();
  legal.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, legal, std::move(patterns));
}

LogicalResult lowerToLlvmDialect(ModuleOp module, Target &target) {
  if (failed(lowerStructuredControlFlow(module)))
    return failure();
  Lowering lowering(module, target);
  target.populatePatterns(lowering);
  addFunctionPatterns(lowering);
  addMemoryPatterns(lowering);
  addCheckPatterns(lowering);
  addIntrinsicPatterns(lowering);
  addConversionPatterns(lowering);
  arith::populateArithToLLVMConversionPatterns(lowering.types, lowering.patterns);
  cf::populateControlFlowToLLVMConversionPatterns(lowering.types, lowering.patterns);

  ConversionTarget legal(*module.getContext());
  legal.addLegalDialect<LLVM::LLVMDialect>();
  legal.addLegalOp<ModuleOp>();
  return applyFullConversion(module, legal, std::move(lowering.patterns));
}

void loadLoweringDialects(ModuleOp module) {
  module.getContext()->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect>();
}

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/MirPipeline.h"
#include "codegen/Pipeline.h"
#include "mir/dialect/Register.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "test/fuzz/Fuzz.h"

namespace spl::fuzz {

mlir::MLIRContext &context() {
  constexpr unsigned inputsOfOne = 1000;
  static std::unique_ptr<mlir::MLIRContext> current;
  static unsigned inputs = 0;
  if (inputs++ % inputsOfOne == 0) {
    current = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    mir::loadDialects(*current);
    current->getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  }
  return *current;
}

void runPasses(mlir::ModuleOp module) {
  for (const char *target : {"sm_75", "cpu"}) {
    codegen::Options options;
    options.target = llvm::cantFail(codegen::TargetSpec::parse(target));
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
    codegen::buildMirPipeline(passes, options, *options.target->outputFor(codegen::Output::Loaded));
    (void)passes.run(*copy); // may fail with a diagnostic
  }
}

} // namespace spl::fuzz

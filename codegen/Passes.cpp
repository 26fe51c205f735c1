// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes for tests, which run target-dependent steps: spl-to-llvm{target=sm_90 math-library=libclc}
// and spl-expand-for{target=cpu}.
#include "mir/transforms/Passes.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Pipeline.h"
#include "codegen/lower/LowerToLlvm.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct ToLlvmPass : PassWrapper<ToLlvmPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToLlvmPass)
  ToLlvmPass() { addTargetOptions(); }
  ToLlvmPass(const ToLlvmPass &other) : PassWrapper(other) { addTargetOptions(); }

  StringRef getArgument() const override { return "spl-to-llvm"; }
  StringRef getDescription() const override {
    return "Lower MIR that went through the target's passes to the LLVM dialect";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    llvm::Expected<TargetSpec> spec = TargetSpec::parse(target);
    if (!spec) {
      getOperation().emitError() << llvm::toString(spec.takeError());
      return signalPassFailure();
    }
    Options options;
    options.target = *spec;
    for (const auto &option : targetOptions)
      options.own.set(option->getArgStr(), option->getValue());
    std::unique_ptr<LlvmBackend> backend = spec->target->llvmBackend(options);
    if (!backend || failed(prepareModule(getOperation(), *spec->target, *backend)) ||
        failed(lowerToLlvmDialect(getOperation(), *spec->target, *backend)))
      signalPassFailure();
  }

  Option<std::string> target{*this, "target", llvm::cl::desc("as simple's --target"),
                             llvm::cl::init(TargetSpec().str())};
  std::vector<std::unique_ptr<Option<std::string>>> targetOptions;

private:
  void addTargetOptions() {
    for (const Target *each : allTargets())
      for (const TargetOption &option : each->options())
        targetOptions.push_back(std::make_unique<Option<std::string>>(
            *this, option.name, llvm::cl::desc("as simple's option of that name")));
  }
};

struct ExpandForPass : PassWrapper<ExpandForPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandForPass)
  ExpandForPass() = default;
  ExpandForPass(const ExpandForPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "spl-expand-for"; }
  StringRef getDescription() const override {
    return "Run spl-expand-intrinsics with the options that a target gives it";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    mir::createExpandIntrinsics()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    llvm::Expected<TargetSpec> spec = TargetSpec::parse(target);
    if (!spec) {
      getOperation().emitError() << llvm::toString(spec.takeError());
      return signalPassFailure();
    }
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(mir::createExpandIntrinsics(expansionFor(*spec->target)));
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }

  Option<std::string> target{*this, "target", llvm::cl::desc("as simple's --target"),
                             llvm::cl::init(TargetSpec().str())};
};

} // namespace

void registerPasses() {
  PassRegistration<ToLlvmPass>();
  PassRegistration<ExpandForPass>();
}

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering as a pass with a name, for tests: spl-to-llvm{target=sm_90 math-library=libclc}.
#include "codegen/Pipeline.h"
#include "codegen/lower/LowerToLlvm.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct ToLlvmPass : PassWrapper<ToLlvmPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToLlvmPass)
  ToLlvmPass() = default;
  ToLlvmPass(const ToLlvmPass &other) : PassWrapper(other) {}

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
    options.mathLibrary = library;
    std::unique_ptr<Target> lowering = Target::create(options);
    if (failed(lowerToLlvmDialect(getOperation(), *lowering)))
      signalPassFailure();
  }

  Option<std::string> target{*this, "target", llvm::cl::desc("as simple's --target"),
                             llvm::cl::init("sm_75")};
  Option<MathLibrary> library{
      *this, "math-library", llvm::cl::desc("where exp and its like come from"),
      llvm::cl::init(MathLibrary::Auto),
      llvm::cl::values(clEnumValN(MathLibrary::Auto, "auto", "what is there"),
                       clEnumValN(MathLibrary::Libdevice, "libdevice", "a CUDA toolkit's"),
                       clEnumValN(MathLibrary::Libclc, "libclc", "the Debian package's"))};
};

} // namespace

void registerPasses() { PassRegistration<ToLlvmPass>(); }

} // namespace spl::codegen

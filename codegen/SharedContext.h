// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets several threads of one compilation use its MLIR context.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace spl::codegen {

/// Lets several threads use an MLIR context while it exists. The context's owner creates it on the
/// thread that otherwise uses the context alone. The threads run no nested pipelines, because MLIR
/// would start more threads for them. MLIR keeps distinct attributes by thread: they must not be
/// used after the thread that created them has ended. Line information has such attributes.
class SharedContext {
public:
  explicit SharedContext(mlir::MLIRContext &context) : context(context) {
    context.enableMultithreading(); // MLIR starts threads itself only for nested pipelines
    diagnostics.emplace(&context);
  }
  ~SharedContext() {
    diagnostics.reset(); // reports them
    context.disableMultithreading();
  }
  SharedContext(const SharedContext &) = delete;
  SharedContext &operator=(const SharedContext &) = delete;

  /// Runs a step of a thread. The diagnostics of all steps are reported in the order of the steps.
  llvm::Error run(size_t step, llvm::function_ref<llvm::Error()> work) {
    diagnostics->setOrderIDForThread(step);
    llvm::Error error = work();
    diagnostics->eraseOrderIDForThread();
    return error;
  }

private:
  mlir::MLIRContext &context;
  std::optional<mlir::ParallelDiagnosticHandler> diagnostics;
};

} // namespace spl::codegen

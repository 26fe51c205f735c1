// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How CPU code reports a failed check: a constant site for each check, and a call of the runtime's
// spl_cpu_fault (abi/include/spl/cpu_abi.h) that does not come back.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

class CpuFaults {
public:
  explicit CpuFaults(Lowering &lowering) : lowering(lowering) {}

  /// Emits the report at the insertion point. globalIds are the work-item's three.
  void emit(mir::CheckOp op, mlir::ValueRange details, mlir::Value launch,
            mlir::ValueRange globalIds, mlir::OpBuilder &builder);

private:
  mlir::LLVM::LLVMFuncOp reporter(mlir::OpBuilder &builder);
  mlir::Value site(mir::CheckOp op, mlir::OpBuilder &builder);
  mlir::Value text(llvm::StringRef text, mlir::OpBuilder &builder);

  Lowering &lowering;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts; ///< one constant for each text
  mlir::LLVM::LLVMFuncOp report;               ///< the reporter, once made
  unsigned sites = 0;
};

} // namespace spl::codegen

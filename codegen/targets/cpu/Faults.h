// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the report of a failed check in code for the CPU: a constant fault site, and a call of
// spl_cpu_fault (abi/include/spl/cpu_abi.h), which does not return.
#pragma once

#include "codegen/lower/Lowering.h"
#include <map>
#include <vector>

namespace spl::codegen {

class CpuFaults {
public:
  /// \p hasCalls says whether the places of checks have the calls that lead there.
  CpuFaults(Lowering &lowering, bool hasCalls) : lowering(lowering), hasCalls(hasCalls) {}

  /// Emits the report at the insertion point. globalIds are the three global ids of the work-item.
  void emit(mir::CheckOp op, mlir::ValueRange details, mlir::Value launch,
            mlir::ValueRange globalIds, mlir::OpBuilder &builder);

  /// A constant for the place of a check, an spl_cpu_fault_site. \p kind has its flags.
  mlir::Value site(mlir::Location loc, int32_t kind, llvm::StringRef subject,
                   mlir::OpBuilder &builder);
  /// A constant for the place of a trace, an spl_cpu_trace_site.
  mlir::Value traceSite(mir::TraceOp op, uint64_t bytes, mlir::OpBuilder &builder);

private:
  mlir::LLVM::GlobalOp record(const llvm::Twine &name, llvm::ArrayRef<int32_t> numbers,
                              llvm::ArrayRef<mlir::LLVM::GlobalOp> globals,
                              mlir::OpBuilder &builder);
  mlir::LLVM::GlobalOp caller(mlir::Location loc, mlir::OpBuilder &builder);
  mlir::LLVM::LLVMFuncOp reporter(mlir::OpBuilder &builder);
  mlir::LLVM::GlobalOp text(llvm::StringRef text, mlir::OpBuilder &builder);
  mlir::LLVM::GlobalOp fileOf(mlir::FileLineColLoc line, mlir::OpBuilder &builder);

  Lowering &lowering;
  const bool hasCalls;
  /// By the locations of a call and of its callers, the outermost first.
  std::map<std::vector<const void *>, mlir::LLVM::GlobalOp> calls;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts; ///< one constant for each text
  /// The function that calls spl_cpu_fault, or null before the first use.
  mlir::LLVM::LLVMFuncOp report;
  unsigned sites = 0, traces = 0;
};

} // namespace spl::codegen

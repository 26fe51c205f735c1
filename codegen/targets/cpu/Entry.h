// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of a kernel, which the runtime calls (abi/include/spl/cpu_abi.h). It loads the
// parameters, asks the runtime for the scratch memory and calls the body for each group.
#pragma once

#include "codegen/lower/Lowering.h"
#include "codegen/targets/cpu/Scratch.h"

namespace spl::codegen {

/// The group that code runs in, as hidden parameters of every function except the entry, in this
/// order.
struct GroupContext {
  mlir::Value launch;
  llvm::SmallVector<mlir::Value, 3> group, localSize, numGroups;

  static llvm::SmallVector<mlir::Type> types(Lowering &lowering) {
    llvm::SmallVector<mlir::Type> types{lowering.pointer()};
    types.append(9, lowering.i64());
    return types;
  }
  static GroupContext from(mlir::ValueRange values) {
    return {values[0], values.slice(1, 3), values.slice(4, 3), values.slice(7, 3)};
  }
  llvm::SmallVector<mlir::Value> values() const {
    llvm::SmallVector<mlir::Value> all{launch};
    for (mlir::ValueRange part :
         {mlir::ValueRange(group), mlir::ValueRange(localSize), mlir::ValueRange(numGroups)})
      llvm::append_range(all, part);
    return all;
  }
};

/// The address of the field at an offset of spl_cpu_launch.
mlir::Value launchField(mlir::Value launch, size_t offset, Lowering &lowering,
                        mlir::OpBuilder &builder, mlir::Location loc);

/// Emits the entry: void entry(void *const *params, const spl_cpu_launch *launch, int64 begin,
/// int64 end). It calls the body for each group from begin to end. If the kernel does not depend
/// on its groups (SplDialect::ungroupedAttr), one call runs all groups up to the end of their row
/// along x. If small groups run side by side (mir::SideBySide), one call runs several of them.
mlir::LLVM::LLVMFuncOp emitEntry(mir::KernelOp kernel, mlir::LLVM::LLVMFuncOp body,
                                 llvm::ArrayRef<AbiParameter> parameters,
                                 const CpuScratch &scratchMemory, Lowering &lowering,
                                 mlir::ConversionPatternRewriter &rewriter);

} // namespace spl::codegen

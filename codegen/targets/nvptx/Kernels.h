// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for NVIDIA GPUs: ptx_kernel functions with the parameters of the ABI. Behind these are
// the address of the counter of grid barriers (GridBarrier.h) and that of the fault record
// (Faults.h), in kernels that need them. Attributes of the functions become directives of PTX.
#pragma once

#include "codegen/lower/Lowering.h"
#include "codegen/targets/nvptx/Archs.h"
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Of a kernel: its number in the order of the module, in which PTX lists the signatures.
inline constexpr llvm::StringLiteral kernelNumberAttr = "spl.number";

/// The symbol of the kernel until nameKernels.
std::string kernelSymbol(mir::KernelOp kernel);

/// Adds the pattern that lowers kernels. At most \p maxRegisters registers are for a work-item; 0
/// sets no limit.
void addKernelPattern(Lowering &lowering, const NvptxArch &arch, unsigned maxRegisters);

/// Gives the kernels their own names. Runs after the device math is linked. If a library has a
/// function with the same name, that internal function is renamed.
void nameKernels(llvm::Module &module);

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels of the CPU backend's modules. The CPU's streams use it.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H

#include "runtime/backends/BackendContext.h"

namespace spl::detail {

/// Runs a version of a kernel (abi::Contract::Version) of a module that this backend has loaded.
/// Returns when the kernel has ended. Throws KernelFault.
void runKernel(const BackendModule &module, std::size_t kernel, std::size_t version,
               const Geometry &geometry, void *const *params);

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels of the CPU backend's modules. The CPU's streams use it.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H

#include "runtime/backends/BackendContext.h"

namespace spl::detail {

/// Runs a kernel of a module that this backend has loaded. \p unchecked selects the entry point
/// without the checks that the launch contract makes redundant. Returns when the kernel has ended.
/// Throws KernelFault.
void runKernel(const BackendModule &module, std::size_t kernel, bool unchecked,
               const Geometry &geometry, void *const *params);

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the kernels of a module, for the CPU's streams.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H

#include "runtime/backends/BackendContext.h"

namespace spl::detail {

/// Runs a kernel of a module that this backend loaded, or its \p unchecked entry. Returns when it
/// has ended. Throws KernelFault.
void runKernel(const BackendModule &module, std::size_t kernel, bool unchecked,
               const Geometry &geometry, void *const *params);

} // namespace spl::detail

#endif

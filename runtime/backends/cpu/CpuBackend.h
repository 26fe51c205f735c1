// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What streams of the CPU ask of a module.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUBACKEND_H

#include "runtime/backends/BackendContext.h"

namespace spl::detail {

/// Runs a kernel of a module that this backend loaded, its \p unchecked entry if so; returns when
/// it has ended. Throws KernelFault.
void runKernel(const BackendModule &module, std::size_t kernel, bool unchecked,
               const Geometry &geometry, void *const *params);

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device: always there, always one.
#ifndef SPL_RUNTIME_CPU_CPUBACKEND_H
#define SPL_RUNTIME_CPU_CPUBACKEND_H

#include "runtime/core/BackendContext.h"

namespace spl::detail {

extern const BackendEntry cpuBackend;

/// Runs a kernel of a module that this backend loaded, its \p unchecked entry if so; returns when
/// it has ended. Throws KernelFault.
void runKernel(const BackendModule &module, std::size_t kernel, bool unchecked,
               const Geometry &geometry, void *const *params);

} // namespace spl::detail

#endif

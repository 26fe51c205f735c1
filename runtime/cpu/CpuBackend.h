// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device: always there, always one.
#ifndef SPL_RUNTIME_CPU_CPUBACKEND_H
#define SPL_RUNTIME_CPU_CPUBACKEND_H

#include "runtime/core/BackendContext.h"

namespace spl::detail {

extern const BackendEntry cpuBackend;

} // namespace spl::detail

#endif

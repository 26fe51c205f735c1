// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUs through the CUDA driver.
#ifndef SPL_RUNTIME_CUDA_CUDABACKEND_H
#define SPL_RUNTIME_CUDA_CUDABACKEND_H

#include "runtime/core/BackendContext.h"

namespace spl::detail {

extern const BackendEntry cudaBackend;

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the CUDA backend load another library than libcuda.so.1.
#pragma once

#include "runtime/backends/cuda/DriverCache.h"

namespace spl::test {

/// Makes the CUDA backend load \p library and list its devices again. Null means libcuda.so.1. The
/// caller must have closed all contexts.
inline void useCudaLibrary(const char *library) {
  detail::DriverCache &cache = detail::driverCache();
  std::lock_guard lock(cache.mutex);
  cache.library = library ? library : "libcuda.so.1";
  cache.opened.reset();
  cache.started.reset();
  cache.answer.reset();
  cache.wasStarted = false;
}

} // namespace spl::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts another library in the place of libcuda.so.1.
#pragma once

#include "runtime/backends/cuda/DriverCache.h"

namespace spl::test {

/// From now on the CUDA backend opens \p library, and asks it again for its devices. Null means
/// libcuda.so.1. No context may be open.
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

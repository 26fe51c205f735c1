// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/system/ForkGuard.h"

#include <atomic>
#include <pthread.h>

namespace spl::detail {

std::uint32_t processGeneration() noexcept {
  static std::atomic<std::uint32_t> forks{0};
  // Registered at the first call. Earlier forks do not matter, because no object was made before
  // them.
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return forks.load(std::memory_order_relaxed);
}

} // namespace spl::detail

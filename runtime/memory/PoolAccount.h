// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the live memory of a pool adds up to. Shared by the pool and its memory, from any thread.
#ifndef SPL_RUNTIME_MEMORY_POOLACCOUNT_H
#define SPL_RUNTIME_MEMORY_POOLACCOUNT_H

#include "spl/MemoryPool.h"

#include <algorithm>
#include <cstddef>
#include <mutex>

namespace spl::detail {

class PoolAccount {
public:
  /// Counts \p bytes more, unless that is beyond \p cap; 0 is none.
  bool take(std::size_t bytes, std::size_t cap) {
    std::lock_guard lock(mutex);
    if (cap && (bytes > cap || state.used > cap - bytes))
      return false;
    state.used += bytes;
    state.usedHigh = std::max(state.usedHigh, state.used);
    ++state.arrays;
    return true;
  }

  void give(std::size_t bytes) {
    std::lock_guard lock(mutex);
    state.used -= bytes;
    --state.arrays;
  }

  /// All but what is reserved.
  PoolState read() const {
    std::lock_guard lock(mutex);
    return state;
  }

private:
  mutable std::mutex mutex;
  PoolState state;
};

} // namespace spl::detail

#endif

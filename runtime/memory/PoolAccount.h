// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The amount of live memory of a pool. The pool and its allocations share it. Any thread may use
// it.
#ifndef SPL_RUNTIME_MEMORY_POOLACCOUNT_H
#define SPL_RUNTIME_MEMORY_POOLACCOUNT_H

#include "spl/MemoryPool.h"

#include <algorithm>
#include <cstddef>
#include <mutex>

namespace spl::detail {

class PoolAccount {
public:
  /// Adds \p bytes. Returns false and adds nothing if the sum would exceed \p cap. A cap of 0 means
  /// no cap.
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

  /// The state, without reserved.
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

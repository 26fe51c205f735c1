// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/GridCounters.h"

namespace spl::detail {

/// Counters that are allocated at once, and the bytes of each: groups of two launches do not wait
/// for the same line of the cache.
static constexpr std::size_t countersAtOnce = 64, counterBytes = 128;

GridCounter::~GridCounter() {
  if (!owner->guard.inMakingProcess())
    return;
  std::lock_guard lock(owner->mutex);
  owner->freeCounters.push_back(place);
}

std::shared_ptr<GridCounter>
GridCounters::make(const std::function<void(CuResult, std::size_t bytes)> &fail) {
  CuDevicePtr found = 0;
  auto takeFree = [&] {
    if (freeCounters.empty())
      return false;
    found = freeCounters.back();
    freeCounters.pop_back();
    return true;
  };
  if (std::lock_guard lock(mutex); takeFree())
    return std::make_shared<GridCounter>(shared_from_this(), found);
  // Without the lock: the driver may wait for a host function, which frees counters.
  constexpr std::size_t bytes = countersAtOnce * counterBytes;
  CuDevicePtr block = 0;
  if (const CuResult result = driver.memAlloc(&block, bytes); result != CuResult::Success)
    fail(result, bytes);
  {
    std::lock_guard lock(mutex);
    blocks.push_back(block);
    for (std::size_t i = countersAtOnce; i-- > 0;)
      freeCounters.push_back(block + i * counterBytes);
    takeFree();
  }
  return std::make_shared<GridCounter>(shared_from_this(), found);
}

void GridCounters::close() {
  std::lock_guard lock(mutex);
  for (CuDevicePtr block : blocks)
    driver.memFree(block);
  blocks.clear();
  freeCounters.clear();
}

} // namespace spl::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of grid barriers (grid_counter.h), in the memory of the device. Each launch of a
// kernel with a grid barrier has a counter of its own until it is over, and so has each launch of
// an instantiated graph. The fault record of the launch owns it. Work before the launch clears it.
//
// May be used from any thread.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_GRIDCOUNTERS_H
#define SPL_RUNTIME_BACKENDS_CUDA_GRIDCOUNTERS_H

#include "runtime/backends/cuda/Driver.h"
#include "runtime/system/ForkGuard.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace spl::detail {

class GridCounters;

/// A counter. The destructor returns it to the free ones.
class GridCounter {
public:
  GridCounter(std::shared_ptr<GridCounters> owner, CuDevicePtr address)
      : owner(std::move(owner)), place(address) {}
  ~GridCounter();
  GridCounter(const GridCounter &) = delete;
  GridCounter &operator=(const GridCounter &) = delete;

  CuDevicePtr address() const { return place; }

private:
  const std::shared_ptr<GridCounters> owner;
  const CuDevicePtr place;
};

/// The counters of a context, which owns them.
class GridCounters : public std::enable_shared_from_this<GridCounters> {
public:
  explicit GridCounters(const Driver &driver) : driver(driver) {}

  /// A counter with any value. The context is current. \p fail throws the error for a failed
  /// allocation of that size.
  std::shared_ptr<GridCounter> make(const std::function<void(CuResult, std::size_t bytes)> &fail);

  /// Releases the memory. Nothing of the context runs any more, and the context is current.
  void close();

private:
  friend class GridCounter;

  const Driver &driver;
  const ForkGuard guard;

  std::mutex mutex;
  // Guarded by mutex:
  std::vector<CuDevicePtr> blocks;
  std::vector<CuDevicePtr> freeCounters;
};

} // namespace spl::detail

#endif

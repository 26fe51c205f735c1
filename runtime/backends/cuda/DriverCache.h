// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the CUDA driver in one process. The functions of Driver.h use it. Tests change it to
// replace the driver by a fake one (test/fakecuda/CudaLibrary.h).
#ifndef SPL_RUNTIME_BACKENDS_CUDA_DRIVERCACHE_H
#define SPL_RUNTIME_BACKENDS_CUDA_DRIVERCACHE_H

#include "runtime/backends/cuda/Driver.h"
#include "runtime/system/ChildProcess.h"
#include "runtime/system/ForkGuard.h"

#include <atomic>
#include <list>
#include <mutex>
#include <optional>
#include <string>

namespace spl::detail {

struct DriverCache {
  /// \p parent is the cache of the process that this one was forked from, or null.
  explicit DriverCache(DriverCache *parent) : parent(parent) {
    if (!parent)
      return;
    library = parent->library;
    wasStarted = parent->wasStarted.load();
  }

  /// Opens the library, once. Returns null if there is none. The caller holds the mutex.
  Driver *open();

  /// Whether any code of this process has initialised the driver. The library must be open. The
  /// caller holds the mutex.
  bool isStarted() const;

  DriverCache *const parent;
  const ForkGuard guard;
  std::atomic<bool> wasStarted{false}; ///< the driver was initialised, here or in a parent

  std::mutex mutex; ///< guards the members below
  std::string library = "libcuda.so.1";
  std::list<Driver> drivers; ///< all tables; never removed, because objects that are destroyed late
                             ///< still call through them
  Driver *driver = nullptr;  ///< the latest table, if its library could be opened
  std::optional<std::string> opened; ///< why the library could not be opened; empty if it was
  std::optional<DriverState> started;
  std::optional<ChildAnswer> answer;
};

/// The cache of this process. A child process made by fork gets a new cache, because another thread
/// of the parent may have held the mutex of the old one.
DriverCache &driverCache();

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code reports while a launch runs, and the errors that follow from it. The function
// that runs the launch owns the sink.
#ifndef SPL_RUNTIME_BACKENDS_CPU_FAULTSINK_H
#define SPL_RUNTIME_BACKENDS_CPU_FAULTSINK_H

#include "runtime/backends/BackendStream.h"
#include "runtime/backends/cpu/CpuPrint.h"

#include "spl/Error.h"
#include "spl/Finding.h"
#include "spl/cpu_abi.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace spl::detail {

/// The first failure of a launch: a fault that compiled code has reported, or missing memory. It
/// has no destructor, because longjmp skips destructors.
struct FaultSink {
  std::atomic<bool> claimed{false};
  /// Of a cooperative launch, whose groups all keep their scratch memory: about how much of it they
  /// use, and may use.
  std::atomic<std::int64_t> keptBytes{0};
  std::int64_t maxKeptBytes = std::numeric_limits<std::int64_t>::max();
  /// Set if scratch memory is missing, and there is no fault of the kernel.
  bool isOutOfMemory = false;
  std::int64_t missingBytes = 0; ///< the size of that scratch memory
  /// Set if the detector of a checked launch has too much memory.
  bool isDetectorTooLarge = false;
  const spl_cpu_fault_site *site = nullptr;
  std::int64_t value = 0;
  std::int64_t bound = 0;
  std::int64_t workItem[3] = {};
  char message[messageSize]; ///< the text of an assertion with values
  /// The launch's flag, which ends work-items that wait for this one.
  std::int64_t *hasStopped = nullptr;

  bool isClaimed() const { return claimed.load(std::memory_order_relaxed); }
  /// Returns whether this is the first fault.
  bool claim();
};

/// The launch as compiled code sees it. Both arguments must outlive the result.
spl_cpu_launch launchOf(const Geometry &geometry, FaultSink &sink);

/// Runs groups of a launch until they end or one fails.
void runGuarded(spl_cpu_entry entry, void *const *params, const spl_cpu_launch *launch,
                std::int64_t begin, std::int64_t end);

Fault faultOf(const FaultSink &sink, const Geometry &geometry);

/// \p context says where the kernel ran.
[[noreturn]] void throwOutOfMemory(const FaultSink &sink, const std::string &context);
/// \p findings are those of a checked launch.
[[noreturn]] void throwFault(Fault fault, const std::string &context,
                             std::vector<Finding> findings);
/// Throws what the sink has. Returns if nothing has failed.
void rethrow(const FaultSink &sink, const Geometry &geometry, const std::string &context);

} // namespace spl::detail

#endif

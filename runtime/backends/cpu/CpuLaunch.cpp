// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuLaunch.h"

#include "runtime/backends/cpu/CooperativeGroups.h"
#include "runtime/backends/cpu/FaultSink.h"
#include "runtime/backends/cpu/TimeLimit.h"
#include "spl/abi/SideBySide.h"

#include <algorithm>

namespace spl::detail {

/// The number of work-items between two tests of the fault flag. It is large enough to hide the
/// cost of the call, and small enough to stop early and to balance the load.
static constexpr std::int64_t sliceItems = 16384;

/// The minimum number of slices for each thread, if there are enough groups. Several slices balance
/// uneven groups.
static constexpr std::int64_t slicesPerThread = 8;

// The products of sizes cannot overflow: each factor is within the device's limits, whose product
// fits in 63 bits.

static std::int64_t countGroups(const Geometry &geometry) {
  return geometry.numGroups[0] * geometry.numGroups[1] * geometry.numGroups[2];
}

/// The number of groups in a slice. Compiled code runs up to maxSideBySide groups side by side, if
/// each has at most maxSmallGroup work-items. A slice then has that many, if each thread still gets
/// one.
static std::int64_t sliceOf(std::int64_t groups, std::int64_t groupItems, std::int64_t threads) {
  const std::int64_t most = std::max<std::int64_t>(sliceItems / groupItems, 1);
  const std::int64_t slice =
      std::clamp<std::int64_t>(groups / (threads * slicesPerThread), 1, most);
  if (groupItems > abi::maxSmallGroup || slice >= abi::maxSideBySide)
    return slice;
  return std::clamp(groups / threads, slice, abi::maxSideBySide);
}

void runGroups(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
               CpuThreads &threads, const std::string &kernel, const std::string &device) {
  FaultSink sink;
  spl_cpu_launch launch = launchOf(geometry, sink);
  sink.hasStopped = &launch.hasStopped;
  const TimeLimit limit(geometry.timeLimit, launch.hasStopped);

  const std::int64_t groups = countGroups(geometry);
  const std::int64_t groupItems =
      geometry.localSize[0] * geometry.localSize[1] * geometry.localSize[2];
  const std::int64_t slice = sliceOf(groups, groupItems, threads.count());
  threads.run(groups, slice, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t begin = first; begin < last; begin += slice) {
      if (sink.isClaimed())
        return;
      runGuarded(entry, params, &launch, begin, std::min(begin + slice, last));
    }
  });
  if (sink.isClaimed()) // the text takes memory, which a launch does not
    rethrow(sink, geometry, kernel + " on " + device);
}

void runCooperative(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
                    CpuThreads &threads, const std::string &kernel, const std::string &device) {
  const std::string context = kernel + " on " + device;
  FaultSink sink;
  spl_cpu_launch launch = launchOf(geometry, sink);
  sink.hasStopped = &launch.hasStopped;
  const TimeLimit limit(geometry.timeLimit, launch.hasStopped);

  const std::int64_t groups = countGroups(geometry);
  CooperativeGroups all(entry, params, &launch, groups, context);
  // All work of the launch before a barrier is done when a call of run returns.
  do {
    threads.run(groups, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t group = first; group < last && !sink.isClaimed(); ++group)
        all.resume(group);
    });
  } while (!sink.isClaimed() && all.meet(sink));
  rethrow(sink, geometry, context);
}

} // namespace spl::detail

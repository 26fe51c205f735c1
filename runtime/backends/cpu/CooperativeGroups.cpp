// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CooperativeGroups.h"

#include "runtime/backends/cpu/RunningGroup.h"
#include "runtime/system/HostInfo.h"

#include <algorithm>
#include <new>

namespace spl::detail {

static FiberStacks makeStacks(std::int64_t count, const std::string &context) {
  try {
    return FiberStacks(count);
  } catch (const std::bad_alloc &) {
    throw Error({.code = ErrorCode::OutOfMemory,
                 .message = "out of memory: the grid barrier needs a stack of " +
                            std::to_string(FiberStacks::stackBytes >> 20) + " MiB for each of " +
                            std::to_string(count) + " groups",
                 .context = context,
                 .hint = "launch fewer groups"});
  }
}

CooperativeGroups::CooperativeGroups(spl_cpu_entry entry, void *const *params,
                                     const spl_cpu_launch *launch, std::int64_t count,
                                     const std::string &context)
    : stacks(makeStacks(count, context)) {
  if (const std::uint64_t total = memoryState().total) // else it is not known
    static_cast<FaultSink *>(launch->faultSink)->maxKeptBytes =
        static_cast<std::int64_t>(total / 4 * 3);
  for (std::int64_t group = 0; group < count; ++group)
    fibers.emplace_back(stacks[group], entry, params, launch, group);
}

bool CooperativeGroups::meet(FaultSink &sink) const {
  const spl_cpu_fault_site *first = fibers.front().waitsAt();
  const auto other = std::ranges::find_if(
      fibers, [&](const GroupFiber &fiber) { return fiber.waitsAt() != first; });
  if (other == fibers.end())
    return first != nullptr;
  sink.claim();
  const GroupFiber &waiting = first ? fibers.front() : *other;
  sink.site = waiting.waitsAt();
  waiting.firstWorkItem(sink.workItem);
  return false;
}

} // namespace spl::detail

extern "C" void spl_cpu_grid_barrier(const spl_cpu_launch *launch, const spl_cpu_fault_site *site) {
  if (spl::detail::GroupFiber *fiber = spl::detail::running.fiber)
    return fiber->waitAt(site);
  // The signature that the program gave lacks #[cooperative], so the groups do not meet.
  const int64_t first[3] = {};
  spl_cpu_fault(launch, site, 0, 0, first);
}

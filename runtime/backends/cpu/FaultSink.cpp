// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/FaultSink.h"

#include "runtime/backends/cpu/RunningGroup.h"
#include "spl/abi/Limits.h"

#include <algorithm>
#include <cstring>

namespace spl::detail {

thread_local constinit RunningGroup running;

/// Of this thread, for groups of launches that are not cooperative. It is kept from launch to
/// launch.
static thread_local Scratch ownScratch;

bool FaultSink::claim() {
  if (claimed.exchange(true, std::memory_order_relaxed))
    return false;
  std::atomic_ref(*hasStopped).store(1, std::memory_order_relaxed);
  return true;
}

spl_cpu_launch launchOf(const Geometry &geometry, FaultSink &sink) {
  spl_cpu_launch launch{};
  std::copy_n(geometry.numGroups.begin(), 3, launch.numGroups);
  std::copy_n(geometry.localSize.begin(), 3, launch.localSize);
  launch.faultSink = &sink;
  launch.sharedBytes = geometry.sharedBytes;
  return launch;
}

/// A separate function, so that no object with a destructor exists across setjmp.
[[gnu::noinline]] void runGuarded(spl_cpu_entry entry, void *const *params,
                                  const spl_cpu_launch *launch, std::int64_t begin,
                                  std::int64_t end) {
  std::jmp_buf here;
  const RunningGroup outer = running;
  if (setjmp(here) == 0) {
    running = {.exit = &here};
    entry(params, launch, begin, end);
  }
  running = outer;
}

Fault faultOf(const FaultSink &sink, const Geometry &geometry) {
  Fault fault;
  fault.kind =
      static_cast<FaultKind>(sink.site->kind & ~(SPL_CPU_UNSIGNED_VALUE | SPL_CPU_HAS_CALLER));
  fault.isValueUnsigned = (sink.site->kind & SPL_CPU_UNSIGNED_VALUE) != 0;
  fault.file = sink.site->file;
  fault.line = sink.site->line;
  fault.column = sink.site->column;
  const bool hasMessage = fault.kind == FaultKind::AssertionFailed && !*sink.site->subject;
  fault.subject = hasMessage ? sink.message : sink.site->subject;
  fault.value = fault.kind == FaultKind::TimeLimit ? geometry.timeLimit.count() : sink.value;
  fault.bound = sink.bound;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    fault.workItem[axis] = sink.workItem[axis];
    fault.group[axis] = sink.workItem[axis] / geometry.localSize[axis];
  }
  fault.requested = geometry.workItems;
  fault.localSize = geometry.localSize;
  return fault;
}

void throwOutOfMemory(const FaultSink &sink, const std::string &context) {
  if (sink.keptBytes.load(std::memory_order_relaxed) > sink.maxKeptBytes)
    throw Error({.code = ErrorCode::OutOfMemory,
                 .message = "out of memory: the groups, which all run at once, keep more than " +
                            std::to_string(sink.maxKeptBytes >> 20) + " MB across barriers",
                 .context = context,
                 .hint = "launch fewer groups, or keep fewer values across barriers"});
  throw Error({.code = ErrorCode::OutOfMemory,
               .message = "out of memory: a group's work-items keep " +
                          std::to_string(sink.missingBytes) + " bytes across barriers",
               .context = context,
               .hint = "keep fewer or smaller values across barriers"});
}

void throwFault(Fault fault, const std::string &context, std::vector<Finding> findings) {
  throw Error({.code = ErrorCode::KernelFault,
               .message = fault.sentence(),
               .context = context,
               .hint = "",
               .fault = std::move(fault),
               .findings = std::move(findings)});
}

void rethrow(const FaultSink &sink, const Geometry &geometry, const std::string &context) {
  if (!sink.isClaimed())
    return;
  if (sink.isOutOfMemory)
    throwOutOfMemory(sink, context);
  throwFault(faultOf(sink, geometry), context, {});
}

/// Counts the scratch memory of one more group. Most of \p bytes is for groups of the largest size,
/// and what a smaller group does not use does not become memory.
static bool keepsWithinLimit(FaultSink &sink, const spl_cpu_launch &launch, std::int64_t bytes) {
  const std::int64_t items = launch.localSize[0] * launch.localSize[1] * launch.localSize[2];
  const std::int64_t kept = bytes / abi::maxGroupSize * items + launch.sharedBytes;
  return sink.keptBytes.fetch_add(kept, std::memory_order_relaxed) + kept <= sink.maxKeptBytes;
}

} // namespace spl::detail

extern "C" void spl_cpu_fault(const spl_cpu_launch *launch, const spl_cpu_fault_site *site,
                              int64_t value, int64_t bound, const int64_t workItem[3]) {
  using namespace spl::detail;
  auto &sink = *static_cast<FaultSink *>(launch->faultSink);
  if (sink.claim()) {
    sink.site = site;
    sink.value = value;
    sink.bound = bound;
    std::copy_n(workItem, 3, sink.workItem);
    std::memcpy(sink.message, assertionMessage(), messageSize);
  }
  std::longjmp(*running.exit, 1);
}

extern "C" void *spl_cpu_scratch(const spl_cpu_launch *launch, int64_t bytes) {
  using namespace spl::detail;
  const std::int64_t wanted = std::max<std::int64_t>(bytes + launch->sharedBytes, 1);
  Scratch &scratch = running.scratch ? *running.scratch : ownScratch;
  auto &sink = *static_cast<FaultSink *>(launch->faultSink);
  if (!running.scratch || keepsWithinLimit(sink, *launch, bytes))
    if (void *memory = scratch.atLeast(static_cast<std::size_t>(wanted)))
      return memory;
  if (sink.claim()) {
    sink.isOutOfMemory = true;
    sink.missingBytes = wanted;
  }
  std::longjmp(*running.exit, 1);
}

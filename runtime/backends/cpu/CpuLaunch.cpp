// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuLaunch.h"

#include "runtime/backends/cpu/CpuPrint.h"
#include "runtime/backends/cpu/TimeLimit.h"
#include "runtime/check/Detector.h"

#include "spl/Error.h"

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace spl::detail {

namespace {

/// The first fault of a launch that compiled code has reported. It has no destructor, because
/// longjmp skips destructors.
struct FaultSink {
  std::atomic<bool> claimed{false};
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
};

} // namespace

/// The place at which this thread continues after a fault. Each call of compiled code saves and
/// restores it, because a thread may start a launch while it waits for another one.
static thread_local std::jmp_buf *faultExit = nullptr;

namespace {

/// A thread's scratch memory for the groups that it runs. It is kept from launch to launch and only
/// grows.
struct Scratch {
  void *memory = nullptr;
  std::size_t bytes = 0;

  /// Returns at least \p wanted bytes, or null if the system has no memory.
  void *atLeast(std::size_t wanted) {
    if (wanted > bytes) {
      std::free(memory);
      bytes = (wanted + alignment - 1) / alignment * alignment;
      memory = std::aligned_alloc(alignment, bytes);
      if (!memory)
        bytes = 0;
    }
    return memory;
  }
  ~Scratch() { std::free(memory); }

  static constexpr std::size_t alignment = 64;
};

} // namespace

static thread_local Scratch scratch;

/// The number of work-items between two tests of the fault flag. It is large enough to hide the
/// cost of the call, and small enough to stop early and to balance the load.
static constexpr std::int64_t sliceItems = 16384;

/// The minimum number of slices for each thread, if there are enough groups. Several slices balance
/// uneven groups.
static constexpr std::int64_t slicesPerThread = 8;

/// Runs one slice. This is a function of its own, so that no object with a destructor exists across
/// setjmp.
[[gnu::noinline]] static void runSlice(spl_cpu_entry entry, void *const *params,
                                       const spl_cpu_launch *launch, std::int64_t begin,
                                       std::int64_t end) {
  std::jmp_buf here;
  std::jmp_buf *const outer = faultExit;
  if (setjmp(here) == 0) {
    faultExit = &here;
    entry(params, launch, begin, end);
  }
  faultExit = outer;
}

[[noreturn]] static void throwOutOfMemory(const FaultSink &sink, const std::string &context) {
  throw Error({.code = ErrorCode::OutOfMemory,
               .message = "out of memory: a group's work-items keep " +
                          std::to_string(sink.missingBytes) + " bytes across barriers",
               .context = context,
               .hint = "keep fewer or smaller values across barriers"});
}

static Fault faultOf(const FaultSink &sink, const Geometry &geometry) {
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

static const spl_cpu_call *callerOf(const spl_cpu_fault_site &site) {
  if (!(site.kind & SPL_CPU_HAS_CALLER))
    return nullptr;
  return reinterpret_cast<const spl_cpu_called_fault_site *>(&site)->caller;
}

/// \p findings are those of a checked launch.
[[noreturn]] static void throwFault(Fault fault, const std::string &context,
                                    std::vector<Finding> findings) {
  throw Error({.code = ErrorCode::KernelFault,
               .message = fault.sentence(),
               .context = context,
               .hint = "",
               .fault = std::move(fault),
               .findings = std::move(findings)});
}

/// The launch as compiled code sees it. Both arguments outlive it.
static spl_cpu_launch launchOf(const Geometry &geometry, FaultSink &sink) {
  spl_cpu_launch launch{};
  std::copy_n(geometry.numGroups.begin(), 3, launch.numGroups);
  std::copy_n(geometry.localSize.begin(), 3, launch.localSize);
  launch.faultSink = &sink;
  launch.sharedBytes = geometry.sharedBytes;
  return launch;
}

void runGroups(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
               CpuThreads &threads, const std::string &kernel, const std::string &device) {
  FaultSink sink;
  spl_cpu_launch launch = launchOf(geometry, sink);
  sink.hasStopped = &launch.hasStopped;
  const TimeLimit limit(geometry.timeLimit, launch.hasStopped);

  // The product cannot overflow: each factor is within the device's limits, whose product fits in
  // 63 bits.
  std::int64_t groups = launch.numGroups[0] * launch.numGroups[1] * launch.numGroups[2];
  std::int64_t groupItems = launch.localSize[0] * launch.localSize[1] * launch.localSize[2];

  const std::int64_t slice =
      std::clamp<std::int64_t>(groups / (threads.count() * slicesPerThread), 1,
                               std::max<std::int64_t>(sliceItems / groupItems, 1));
  threads.run(groups, slice, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t begin = first; begin < last; begin += slice) {
      if (sink.claimed.load(std::memory_order_relaxed))
        return;
      runSlice(entry, params, &launch, begin, std::min(begin + slice, last));
    }
  });
  if (!sink.claimed.load(std::memory_order_relaxed))
    return;
  const std::string context = kernel + " on " + device;
  if (sink.isOutOfMemory)
    throwOutOfMemory(sink, context);
  throwFault(faultOf(sink, geometry), context, {});
}

//===-- Checked launches --===//

/// The arrays that the kernel may write. It only reads the others, which no other part of a launch
/// writes unless they overlap one of these.
static MemoryMap writtenArrays(const Signature &kernel, void *const *params) {
  MemoryMap map;
  for (const Parameter &parameter : kernel.parameters()) {
    const auto rank = static_cast<std::size_t>(parameter.type.rank);
    if (parameter.type.isMutable) {
      MemoryRegion region{.name = parameter.name,
                          .begin = *static_cast<const std::uintptr_t *>(params[0]),
                          .bytes = parameter.type.element.size(),
                          .elementBytes = parameter.type.element.size(),
                          .extents = {}};
      for (std::size_t axis = 1; axis <= rank; ++axis) {
        region.extents.push_back(*static_cast<const std::int64_t *>(params[axis]));
        region.bytes *= static_cast<std::uint64_t>(region.extents.back());
      }
      if (region.bytes != 0)
        map.add(std::move(region));
    }
    params += rank + 1;
  }
  return map;
}

/// The memory that the detector of one launch may have. It is less than all, because the system
/// would not refuse the rest, but end the process.
static std::size_t maxDetectorBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4 * 3;
}

[[noreturn]] static void throwDetectorTooLarge(const Detector &detector,
                                               const std::string &context) {
  throw Error(
      {.code = ErrorCode::OutOfMemory,
       .message = "out of memory: the detector has " + std::to_string(detector.bytes() >> 20) +
                  " MB, for the elements that the launch accesses and for who accessed them",
       .context = context,
       .hint = "check a launch of fewer work-items, on smaller arrays"});
}

namespace {

/// One checked launch.
struct CheckedLaunch {
  spl_cpu_entry entry;
  const Geometry &geometry;
  void *const *params;
  FindingLog &log;
  Detector detector;
  std::optional<Fault> firstFault;

  void run(std::int64_t groups, const std::string &context) {
    // The time limit's flag is its own: a fault of one group does not end the others.
    FaultSink sink;
    spl_cpu_launch launch = launchOf(geometry, sink);
    launch.detector = &detector;
    std::int64_t failed = 0;
    sink.hasStopped = &failed;
    const TimeLimit limit(geometry.timeLimit, launch.hasStopped);
    bool isOver = false;
    for (std::int64_t group = 0; group < groups && !isOver; ++group) {
      detector.beginGroup(static_cast<std::uint32_t>(group));
      runSlice(entry, params, &launch, group, group + 1);
      if (!sink.isDetectorTooLarge)
        detector.endGroup();
      if (!sink.claimed.exchange(false, std::memory_order_relaxed))
        continue;
      if (sink.isDetectorTooLarge)
        throwDetectorTooLarge(detector, context);
      if (sink.isOutOfMemory)
        throwOutOfMemory(sink, context);
      const Fault fault = faultOf(sink, geometry);
      isOver = fault.kind == FaultKind::TimeLimit;
      log.fault(fault, callerOf(*sink.site));
      if (!firstFault)
        firstFault = fault;
    }
  }
};

} // namespace

void runChecked(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
                CpuThreads &threads, const Signature &kernel, const std::string &device) {
  const std::int64_t groups = geometry.numGroups[0] * geometry.numGroups[1] * geometry.numGroups[2];
  const std::int64_t groupItems =
      geometry.localSize[0] * geometry.localSize[1] * geometry.localSize[2];
  constexpr std::int64_t maxItems = Access::nobody;
  if (groups > maxItems / groupItems)
    throw Error(
        {.code = ErrorCode::LaunchRefused,
         .message = "a checked launch has at most " + std::to_string(maxItems) + " work-items",
         .context = kernel.name() + " on " + device,
         .hint = "launch fewer, or use simple run, which does not check"});
  const std::string context = kernel.name() + " on " + device;
  std::exception_ptr failure;
  std::optional<Fault> fault;
  std::vector<Finding> findings;
  threads.run(1, 1, [&](std::int64_t, std::int64_t) {
    try {
      FindingLog log(geometry, kernel.name());
      CheckedLaunch launch{entry,
                           geometry,
                           params,
                           log,
                           Detector(static_cast<std::uint32_t>(groupItems),
                                    writtenArrays(kernel, params), log, maxDetectorBytes()),
                           std::nullopt};
      launch.run(groups, context);
      fault = launch.firstFault;
      findings = log.take();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  if (failure)
    std::rethrow_exception(failure);
  if (findings.empty())
    return;
  const auto isFault = [](const Finding &finding) { return finding.kind == FindingKind::Fault; };
  if (std::ranges::all_of(findings, isFault))
    throwFault(std::move(*fault), context, std::move(findings));
  const std::size_t others = findings.size() - 1;
  std::string message = findings.front().diagnostic();
  for (const FindingPlace &place : findings.front().places)
    message += "; " + place.where() + ": " + place.sentence();
  if (others != 0)
    message +=
        "; and " + std::to_string(others) + (others == 1 ? " other finding" : " other findings");
  throw Error({.code = ErrorCode::CheckFailed,
               .message = std::move(message),
               .context = context,
               .findings = std::move(findings)});
}

} // namespace spl::detail

extern "C" void spl_cpu_fault(const spl_cpu_launch *launch, const spl_cpu_fault_site *site,
                              int64_t value, int64_t bound, const int64_t workItem[3]) {
  using namespace spl::detail;
  auto &sink = *static_cast<FaultSink *>(launch->faultSink);
  if (!sink.claimed.exchange(true, std::memory_order_relaxed)) {
    sink.site = site;
    sink.value = value;
    sink.bound = bound;
    std::copy_n(workItem, 3, sink.workItem);
    std::memcpy(sink.message, assertionMessage(), messageSize);
    std::atomic_ref(*sink.hasStopped).store(1, std::memory_order_relaxed);
  }
  std::longjmp(*faultExit, 1);
}

extern "C" void *spl_cpu_scratch(const spl_cpu_launch *launch, int64_t bytes) {
  using namespace spl::detail;
  const std::int64_t wanted = std::max<std::int64_t>(bytes + launch->sharedBytes, 1);
  if (void *memory = scratch.atLeast(static_cast<std::size_t>(wanted)))
    return memory;
  auto &sink = *static_cast<FaultSink *>(launch->faultSink);
  if (!sink.claimed.exchange(true, std::memory_order_relaxed)) {
    sink.isOutOfMemory = true;
    sink.missingBytes = wanted;
    std::atomic_ref(*sink.hasStopped).store(1, std::memory_order_relaxed);
  }
  std::longjmp(*faultExit, 1);
}

extern "C" void spl_cpu_trace(const spl_cpu_launch *launch, const spl_cpu_trace_site *site,
                              const void *address, int64_t item, int64_t value) {
  using namespace spl::detail;
  auto *detector = static_cast<Detector *>(launch->detector);
  if (!detector)
    return;
  try {
    return detector->trace(*site, reinterpret_cast<std::uintptr_t>(address),
                           static_cast<std::uint32_t>(item), value);
  } catch (const std::bad_alloc &) {
    auto &sink = *static_cast<FaultSink *>(launch->faultSink);
    sink.isDetectorTooLarge = true;
    sink.claimed.store(true, std::memory_order_relaxed);
  }
  std::longjmp(*faultExit, 1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CooperativeGroups.h"
#include "runtime/backends/cpu/CpuLaunch.h"
#include "runtime/backends/cpu/FaultSink.h"
#include "runtime/backends/cpu/RunningGroup.h"
#include "runtime/backends/cpu/TimeLimit.h"
#include "runtime/check/Detector.h"

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace spl::detail {

static const spl_cpu_call *callerOf(const spl_cpu_fault_site &site) {
  if (!(site.kind & SPL_CPU_HAS_CALLER))
    return nullptr;
  return reinterpret_cast<const spl_cpu_called_fault_site *>(&site)->caller;
}

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

/// The product cannot overflow: each factor is within the device's limits, whose product fits in 63
/// bits.
static std::int64_t itemsOf(const std::array<std::int64_t, 3> &sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

namespace {

/// One checked launch.
class CheckedLaunch {
public:
  CheckedLaunch(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
                const Signature &kernel, FindingLog &log)
      : entry(entry), geometry(geometry), params(params), log(log),
        detector(
            static_cast<std::uint32_t>(itemsOf(geometry.localSize)),
            static_cast<std::uint32_t>(itemsOf(geometry.localSize) * itemsOf(geometry.numGroups)),
            writtenArrays(kernel, params), log, maxDetectorBytes()) {}

  std::optional<Fault> firstFault;

  void run(std::int64_t groups, bool isCooperative, const std::string &context) {
    // The time limit's flag is its own: a fault of one group does not end the others.
    spl_cpu_launch launch = launchOf(geometry, sink);
    launch.detector = &detector;
    std::int64_t failed = 0;
    sink.hasStopped = &failed;
    const TimeLimit limit(geometry.timeLimit, launch.hasStopped);
    if (isCooperative)
      return runTurns(launch, groups, context);
    for (std::int64_t group = 0; group < groups && !isOver; ++group) {
      detector.beginGroup(static_cast<std::uint32_t>(group));
      runGuarded(entry, params, &launch, group, group + 1);
      endTurn(context);
    }
  }

private:
  /// From one grid barrier to the next. A fault ends the launch at a grid barrier.
  void runTurns(const spl_cpu_launch &launch, std::int64_t groups, const std::string &context) {
    CooperativeGroups all(entry, params, &launch, groups, context);
    for (bool meets = true; meets && !isOver;) {
      for (std::int64_t group = 0; group < groups && !isOver; ++group) {
        detector.continueGroup(static_cast<std::uint32_t>(group));
        all.resume(group);
        endTurn(context);
      }
      meets = !firstFault && all.meet(sink);
      addFault(context);
      detector.meet();
    }
  }

  /// A group has ended, or waits at a grid barrier.
  void endTurn(const std::string &context) {
    if (!sink.isDetectorTooLarge)
      detector.endGroup();
    addFault(context);
  }

  void addFault(const std::string &context) {
    if (!sink.claimed.exchange(false, std::memory_order_relaxed))
      return;
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

  const spl_cpu_entry entry;
  const Geometry &geometry;
  void *const *const params;
  FindingLog &log;
  Detector detector;
  FaultSink sink;
  bool isOver = false;
};

} // namespace

void runChecked(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
                CpuThreads &threads, const Signature &kernel, const std::string &device) {
  const std::int64_t groups = itemsOf(geometry.numGroups), groupItems = itemsOf(geometry.localSize);
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
      CheckedLaunch launch(entry, geometry, params, kernel, log);
      launch.run(groups, kernel.isCooperative(), context);
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
  std::longjmp(*running.exit, 1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of one launch, in the order in which they were met. What occurs at the same lines of
// the source is one finding.
#ifndef SPL_RUNTIME_CHECK_FINDINGLOG_H
#define SPL_RUNTIME_CHECK_FINDINGLOG_H

#include "runtime/backends/BackendContext.h"
#include "runtime/check/Access.h"
#include "runtime/check/MemoryMap.h"
#include "spl/Error.h"
#include "spl/Finding.h"
#include "spl/cpu_abi.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace spl::detail {

class FindingLog {
public:
  explicit FindingLog(const Geometry &geometry, std::string kernel = "")
      : geometry(geometry), kernel(std::move(kernel)) {}

  /// Adds a site. Each access that is reported refers to a site that was added before.
  void addSite(const spl_cpu_trace_site &site);

  /// What follows, up to the next call, is of one access or one call of gpu.uniform. It counts once
  /// in a finding, however many bytes, cells or earlier accesses it concerns.
  void beginEvent() { ++event; }

  void race(const Access &now, const Access &before, std::uintptr_t address,
            const MemoryRegion &region);
  void uninitialised(const Access &load, std::uintptr_t address, const MemoryRegion &region);
  /// gpu.uniform got other values than for another work-item.
  void divergent(const Access &now, std::int64_t value, const Access &before, std::int64_t first);
  /// \p caller is that of the function with the check; null in a kernel.
  void fault(const Fault &fault, const spl_cpu_call *caller);
  /// The kernel has dynamic shared memory, and the launch gives none. Faults then say so.
  void dynamicSharedMissing() { isDynamicSharedMissing = true; }

  bool isEmpty() const { return findings.empty(); }
  /// Moves the findings out. Is called once, at the end of the launch, because the message about a
  /// race may name any atomic of the launch.
  std::vector<Finding> take();

private:
  using Key = std::tuple<FindingKind, std::uint32_t, std::uint32_t, std::string>;

  struct Known {
    std::size_t index;       ///< in findings
    std::uint64_t lastEvent; ///< that was counted
  };

  /// Counts the finding of that key. Returns it if this occurrence is to be shown: the first one,
  /// or a race with a larger scope than those before; else null.
  Finding *add(FindingKind kind, std::uint32_t first, std::uint32_t second,
               const std::string &subject = "", RaceScope scope = RaceScope::Warp);
  FindingPlace placeOf(const Access &access, const std::string &note) const;
  void addCalls(FindingPlace &place, const spl_cpu_call *caller) const;
  RaceScope scopeOf(const Access &a, const Access &b) const;
  std::uint32_t groupSize() const;
  std::string flagRemedy() const;

  const Geometry geometry;
  const std::string kernel; ///< its name
  bool isDynamicSharedMissing = false;
  std::vector<const spl_cpu_trace_site *> sites; ///< by number
  std::vector<std::uint32_t> lines;              ///< by number: the first site of the same line
  std::map<std::pair<std::string, std::int32_t>, std::uint32_t> siteOfLine;
  std::map<Key, Known> known;
  std::uint64_t event = 0; ///< the number of the current event
  std::vector<Finding> findings;
  /// The indices in findings of races between different groups without an atomic access. Each has
  /// what its message ends with if no atomic of the launch can be a flag.
  std::map<std::size_t, std::string> plainRaces;
};

} // namespace spl::detail

#endif

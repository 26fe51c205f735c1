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
#include <tuple>
#include <vector>

namespace spl::detail {

class FindingLog {
public:
  /// More kinds of findings than this are counted and not kept.
  static constexpr std::size_t maxFindings = 100;

  explicit FindingLog(const Geometry &geometry) : geometry(geometry) {}

  /// Of each access that is reported, its site must have been added.
  void addSite(const spl_cpu_trace_site &site);

  void race(const Access &now, const Access &before, std::uintptr_t address,
            const MemoryRegion &region);
  void uninitialised(const Access &load, std::uintptr_t address, const MemoryRegion &region);
  /// gpu.uniform got other values than for another work-item.
  void divergent(const Access &now, std::int64_t value, const Access &before, std::int64_t first);
  void fault(const Fault &fault);
  /// The kernel has dynamic shared memory, and the launch gives none. Faults then say so.
  void dynamicSharedMissing() { isDynamicSharedMissing = true; }

  bool isEmpty() const { return findings.empty(); }
  std::vector<Finding> take() { return std::move(findings); }

private:
  using Key = std::tuple<FindingKind, std::uint32_t, std::uint32_t, std::string>;

  /// The finding of that key, if it is new; else null, and it is counted.
  Finding *add(FindingKind kind, std::uint32_t first, std::uint32_t second,
               const std::string &subject = "");
  FindingPlace placeOf(const Access &access, const std::string &note) const;
  std::string relationOf(const Access &a, const Access &b) const;
  std::uint32_t groupSize() const;

  const Geometry geometry;
  bool isDynamicSharedMissing = false;
  std::vector<const spl_cpu_trace_site *> sites; ///< by number
  std::vector<std::uint32_t> lines;              ///< by number: the first site of the same line
  std::map<std::pair<std::string, std::int32_t>, std::uint32_t> siteOfLine;
  std::map<Key, std::size_t> known; ///< the index in findings
  std::vector<Finding> findings;
};

} // namespace spl::detail

#endif

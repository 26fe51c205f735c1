// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of gpu.uniform in the group that runs. The first time that a work-item is at a
// gpu.uniform, its argument must be that of all others the first time they are there; and so on.
#ifndef SPL_RUNTIME_CHECK_UNIFORMVALUES_H
#define SPL_RUNTIME_CHECK_UNIFORMVALUES_H

#include "runtime/check/Access.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace spl::detail {

class UniformValues {
public:
  explicit UniformValues(std::uint32_t groupSize) : groupSize(groupSize) {}

  void beginGroup() { sites.clear(); }

  struct Given {
    Access by;
    std::int64_t value;
  };
  /// The argument of another work-item, if it differs from this.
  std::optional<Given> add(const Given &given, std::uint32_t local) {
    Site &site = sites[given.by.site];
    site.counts.resize(groupSize);
    const std::uint32_t turn = site.counts[local]++;
    if (turn == site.first.size()) {
      site.first.push_back(given);
      return std::nullopt;
    }
    const Given &first = site.first[turn];
    return first.value == given.value ? std::nullopt : std::optional(first);
  }

private:
  struct Site {
    std::vector<Given> first;          ///< by turn
    std::vector<std::uint32_t> counts; ///< of turns, by work-item
  };
  const std::uint32_t groupSize;
  std::unordered_map<std::uint32_t, Site> sites;
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of gpu.uniform in the current group, or of gpu.grid_uniform in the launch. At each
// place, the n-th call of every work-item must have the same argument.
#ifndef SPL_RUNTIME_CHECK_UNIFORMVALUES_H
#define SPL_RUNTIME_CHECK_UNIFORMVALUES_H

#include "runtime/check/Access.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace spl::detail {

class UniformValues {
public:
  explicit UniformValues(std::uint32_t items) : items(items) {}

  void beginGroup() { sites.clear(); }

  struct Given {
    Access by;
    std::int64_t value;
  };
  /// Records a call. Returns the call of another work-item with the same number if its value
  /// differs.
  std::optional<Given> add(const Given &given, std::uint32_t item) {
    Site &site = sites[given.by.site];
    site.counts.resize(items);
    const std::uint32_t call = site.counts[item]++;
    if (call == site.first.size()) {
      site.first.push_back(given);
      return std::nullopt;
    }
    const Given &first = site.first[call];
    return first.value == given.value ? std::nullopt : std::optional(first);
  }

private:
  struct Site {
    std::vector<Given> first;          ///< by the call's number, of the first work-item
    std::vector<std::uint32_t> counts; ///< of calls, by work-item
  };
  const std::uint32_t items;
  std::unordered_map<std::uint32_t, Site> sites;
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches with groups of every shape, and the members of each group and warp. The kernels number
// the work-items group by group, and in a group by the flat id.
#pragma once

#include "test/e2e/Harness.h"

namespace spl::e2e {

struct Grid {
  std::array<std::int64_t, 3> shape; ///< the shape of a group
  std::int64_t groups = 3;

  std::size_t size() const { return static_cast<std::size_t>(shape[0] * shape[1] * shape[2]); }
  std::size_t count() const { return size() * static_cast<std::size_t>(groups); }
  LaunchConfig config(std::int64_t sharedBytes = 0) const {
    return {.global = {groups * shape[0], shape[1], shape[2]},
            .local = {shape[0], shape[1], shape[2]},
            .shared = sharedBytes};
  }

  /// The work-items from first to last.
  struct Members {
    std::size_t first, end;
    std::size_t count() const { return end - first; }
  };
  Members group(std::size_t at) const {
    const std::size_t first = at / size() * size();
    return {first, first + size()};
  }
  /// At most 32 work-items. The last warp of a group may have fewer.
  Members warp(std::size_t at) const {
    const Members whole = group(at);
    const std::size_t first = whole.first + (at - whole.first) / 32 * 32;
    return {first, std::min(first + 32, whole.end)};
  }
  std::size_t lane(std::size_t at) const { return (at - group(at).first) % 32; }
};

/// One work-item, slightly less and more than a warp, several warps, and sizes of which no axis is
/// a multiple of a warp.
inline const Grid grids[] = {{{1, 1, 1}},  {{31, 1, 1}}, {{33, 1, 1}}, {{48, 1, 1}},
                             {{96, 1, 1}}, {{5, 7, 3}},  {{3, 1, 11}}};

/// Small values, also negative ones if T is signed. A float holds their sums over a group exactly.
template <class T> std::vector<T> smallValues(std::size_t n, int seed = 3) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i != n; ++i) {
    const int value = static_cast<int>((i * 2654435761u >> 7) % 97 + i * seed % 13);
    values[i] = static_cast<T>(std::is_signed_v<T> ? value - 50 : value);
  }
  return values;
}

} // namespace spl::e2e

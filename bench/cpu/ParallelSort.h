// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sort that is the twin of both sorting kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <omp.h>
#include <utility>
#include <vector>

namespace bench {

/// Each thread sorts its part, and pairs of parts are merged.
template <typename T> void parallelSort(T *keys, std::int64_t n) {
  const std::int64_t parts = omp_get_max_threads();
  std::vector<T> merged(parts > 1 ? n : 0);
  T *from = keys, *to = merged.data();
  const auto bound = [&](std::int64_t part) { return n * std::min(part, parts) / parts; };
#pragma omp parallel for schedule(static, 1)
  for (std::int64_t part = 0; part < parts; ++part)
    std::sort(keys + bound(part), keys + bound(part + 1));
  for (std::int64_t width = 1; width < parts; width *= 2) {
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t part = 0; part < parts; part += 2 * width) {
      const std::int64_t first = bound(part), middle = bound(part + width);
      std::merge(from + first, from + middle, from + middle, from + bound(part + 2 * width),
                 to + first);
    }
    std::swap(from, to);
  }
  if (from != keys)
    std::copy_n(from, n, keys);
}

} // namespace bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The exclusive scan that is the twin of both scans.
#pragma once

#include <cstdint>
#include <omp.h>
#include <vector>

namespace bench {

/// Each thread adds its part, and then scans it from the sum of the parts before it.
template <typename T> void parallelScan(const T *x, T *out, std::int64_t n) {
  std::vector<T> sums(omp_get_max_threads() + 1);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
    const std::int64_t first = n * me / threads, end = n * (me + 1) / threads;
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = first; i < end; ++i)
      sum += x[i];
    sums[me + 1] = sum;
#pragma omp barrier
    T before = 0;
    for (std::int64_t thread = 0; thread <= me; ++thread)
      before += sums[thread];
    for (std::int64_t i = first; i < end; ++i) {
      out[i] = before;
      before += x[i];
    }
  }
}

} // namespace bench

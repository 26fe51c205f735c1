// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

template <typename T> T twin(const T *x, std::int64_t n) {
  T sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i)
    sum += x[i];
  return sum;
}

/// The host adds the sums of the groups.
void partialSums(Case &c, const char *name) {
  const std::int64_t n = c.size(16 << 20, 3001), groups = c.size(1024, 2);
  const auto x = c.uniform(n, 0.0f, 1.0f);
  auto partial = c.zeros<float>(groups);
  std::vector<float> sum(1), sumTwin(1);
  const spl::Kernel kernel = c.load("examples/reduction.spl")[name];
  c.measure({.ours =
                 [&] {
                   c.launch(kernel, {.global = {groups * 256}, .local = {256}}, x, partial);
                   sum[0] = 0;
                   for (const float part : elements(partial))
                     sum[0] += part;
                 },
             .twin = [&] { sumTwin[0] = twin(host(x), n); },
             .compare = [&] { c.expectNear("sum", sum, sumTwin, 1e-4); }});
}

} // namespace

void sumAtomic(Case &c) {
  const std::int64_t n = c.size(16 << 20, 3001);
  const auto x = c.uniform(n, -9, 90);
  auto total = c.zeros<std::int32_t>(1), totalTwin = c.zeros<std::int32_t>(1);
  const spl::Kernel kernel = c.load("examples/reduction.spl")["sum_atomic"];
  c.measure({.ours =
                 [&] {
                   total.fill(0);
                   c.launch(kernel, {.global = {n}}, x, total);
                 },
             .twin = [&] { host(totalTwin)[0] = twin(host(x), n); },
             .compare = [&] { c.expectEqual("total", total, totalTwin); }});
}

void sumGroups(Case &c) { partialSums(c, "sum_groups"); }
void sumPartial(Case &c) { partialSums(c, "sum_partial"); }

} // namespace bench::examples

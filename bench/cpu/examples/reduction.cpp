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

float added(const spl::Array<float> &partial) {
  float sum = 0;
  for (const float part : elements(partial))
    sum += part;
  return sum;
}

/// The host adds the sums of the groups.
void partialSums(Case &c, const char *name) {
  const std::int64_t n = c.size(16 << 20, 3001), groups = c.size(1024, 2);
  const auto x = c.uniform(n, 0.0f, 1.0f);
  auto partial = c.zeros<float>(groups), partialCl = c.zeros<float>(groups);
  std::vector<float> sum(1), sumTwin(1), sumCl(1);
  const spl::Kernel kernel = c.load("examples/reduction.spl")[name];
  const auto kernelCl = c.loadOpenCl("reduction.cl", "sum_partial");
  c.measure({.ours =
                 [&] {
                   c.launch(kernel, {.global = {groups * 256}, .local = {256}}, x, partial);
                   sum[0] = added(partial);
                 },
             .twin = [&] { sumTwin[0] = twin(host(x), n); },
             .compare = [&] { c.expectNear("sum", sum, sumTwin, 1e-4); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {groups * 256}, .local = {256}}, x, partialCl,
                            std::int32_t(n));
                   c.openCl().wait();
                   sumCl[0] = added(partialCl);
                 },
             .compareOpenCl = [&] { c.expectNear("sum", sum, sumCl, 1e-4); }});
}

} // namespace

void sumAtomic(Case &c) {
  const std::int64_t n = c.size(16 << 20, 3001);
  const auto x = c.uniform(n, -9, 90);
  auto total = c.zeros<std::int32_t>(1), totalTwin = c.zeros<std::int32_t>(1),
       totalCl = c.zeros<std::int32_t>(1);
  const spl::Kernel kernel = c.load("examples/reduction.spl")["sum_atomic"];
  const auto kernelCl = c.loadOpenCl("reduction.cl", "sum_atomic");
  c.measure({.ours =
                 [&] {
                   total.fill(0);
                   c.launch(kernel, {.global = {n}}, x, total);
                 },
             .twin = [&] { host(totalTwin)[0] = twin(host(x), n); },
             .compare = [&] { c.expectEqual("total", total, totalTwin); },
             .openCl =
                 [&] {
                   c.openCl().clear(totalCl);
                   c.launch(kernelCl, {.global = {n}, .local = {256}}, x, totalCl, std::int32_t(n));
                 },
             .compareOpenCl = [&] { c.expectEqual("total", total, totalCl); }});
}

void sumGroups(Case &c) { partialSums(c, "sum_groups"); }
void sumPartial(Case &c) { partialSums(c, "sum_partial"); }

} // namespace bench::examples

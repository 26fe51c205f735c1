// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

/// Each thread counts in four tables, because equal bytes often follow each other.
void twin(const std::uint8_t *bytes, std::uint32_t *counts, std::int64_t n) {
  std::fill_n(counts, 256, 0u);
#pragma omp parallel
  {
    std::uint32_t mine[4][256] = {};
#pragma omp for
    for (std::int64_t block = 0; block < n / 4; ++block)
      for (std::int64_t k = 0; k < 4; ++k)
        ++mine[k][bytes[4 * block + k]];
#pragma omp single
    for (std::int64_t i = n / 4 * 4; i < n; ++i)
      ++mine[0][bytes[i]];
#pragma omp critical
    for (int bin = 0; bin < 256; ++bin)
      counts[bin] += mine[0][bin] + mine[1][bin] + mine[2][bin] + mine[3][bin];
  }
}

} // namespace

void histogram(Case &c) {
  const std::int64_t n = c.size(16 << 20, 3001);
  const auto bytes = c.uniform<std::uint8_t>(n, 0, 255);
  auto counts = c.zeros<std::uint32_t>(256), countsTwin = c.zeros<std::uint32_t>(256),
       countsCl = c.zeros<std::uint32_t>(256);
  const spl::Kernel kernel = c.load("examples/histogram.spl")["histogram"];
  const auto kernelCl = c.loadOpenCl("histogram.cl", "histogram");
  const std::int64_t items = c.size(1 << 18, 512);
  c.measure({.ours =
                 [&] {
                   counts.fill(0);
                   c.launch(kernel, {.global = {items}}, bytes, counts);
                 },
             .twin = [&] { twin(host(bytes), host(countsTwin), n); },
             .compare = [&] { c.expectEqual("counts", counts, countsTwin); },
             .openCl =
                 [&] {
                   c.openCl().clear(countsCl);
                   c.launch(kernelCl, {.global = {items}, .local = {256}}, bytes, countsCl,
                            std::int32_t(n));
                 },
             .compareOpenCl = [&] { c.expectEqual("counts", counts, countsCl); }});
}

} // namespace bench::examples

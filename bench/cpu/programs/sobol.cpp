// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <bit>

namespace bench::programs {
namespace {

constexpr std::int64_t Bits = 32;

/// In blocks. Within a block, each number follows from the one before it: they differ by one
/// direction number (Antonov, Saleev, 1979).
void twin(const std::uint32_t *directions, float *points, std::int64_t dimensions,
          std::int64_t count) {
  constexpr std::int64_t Block = 4096;
#pragma omp parallel for collapse(2)
  for (std::int64_t dimension = 0; dimension < dimensions; ++dimension)
    for (std::int64_t first = 0; first < count; first += Block) {
      const std::uint32_t *mine = directions + dimension * Bits;
      float *out = points + dimension * count;
      std::uint32_t x = 0;
      for (std::int64_t k = 0; k < Bits; ++k)
        x ^= (first ^ first >> 1) >> k & 1 ? mine[k] : 0;
      for (std::int64_t i = first; i < std::min(first + Block, count); ++i) {
        out[i] = float(x >> 8) * (1.0f / 16777216);
        x ^= mine[std::countr_one(std::uint64_t(i))];
      }
    }
}

} // namespace

/// With random direction numbers: their values do not change the work.
void sobol(Case &c) {
  const std::int64_t dimensions = 9, count = c.size(1 << 20, 3001);
  auto directions = c.zeros<std::uint32_t>({dimensions, Bits});
  for (std::int64_t i = 0; i < directions.size(); ++i)
    host(directions)[i] = static_cast<std::uint32_t>(c.random()());
  const spl::Shape shape{dimensions, count};
  auto points = c.zeros<float>(shape), pointsTwin = c.zeros<float>(shape);
  const spl::Kernel kernel = c.load("programs/sobol/sobol.spl")["sobol"];
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {count / 3, dimensions}}, directions, points); },
       .twin = [&] { twin(host(directions), host(pointsTwin), dimensions, count); },
       .compare = [&] { c.expectEqual("points", points, pointsTwin); }});
}

} // namespace bench::programs

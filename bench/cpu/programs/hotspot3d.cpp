// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Layers = 6, Steps = 8;

struct Material {
  float centre, northSouth, eastWest, aboveBelow, power, ambient, air;
};

struct Size {
  std::int64_t rows, cols;
};

/// The row of a point with its neighbours.
struct Rows {
  const float *here, *north, *south, *above, *below, *power;
};

void computeRow(const Rows &r, const Material &m, float *out, std::int64_t cols) {
  const auto point = [&](std::int64_t west, std::int64_t x, std::int64_t east) {
    return m.centre * r.here[x] + m.aboveBelow * (r.above[x] + r.below[x]) +
           m.northSouth * (r.north[x] + r.south[x]) + m.eastWest * (r.here[west] + r.here[east]) +
           m.power * r.power[x] + m.ambient * m.air;
  };
  out[0] = point(0, 0, 1);
#pragma omp simd
  for (std::int64_t x = 1; x < cols - 1; ++x)
    out[x] = m.centre * r.here[x] + m.aboveBelow * (r.above[x] + r.below[x]) +
             m.northSouth * (r.north[x] + r.south[x]) +
             m.eastWest * (r.here[x - 1] + r.here[x + 1]) + m.power * r.power[x] +
             m.ambient * m.air;
  out[cols - 1] = point(cols - 2, cols - 1, cols - 1);
}

void twinStep(const float *power, const float *src, const Material &m, float *dst, Size size) {
#pragma omp parallel for collapse(2)
  for (std::int64_t z = 0; z < Layers; ++z)
    for (std::int64_t y = 0; y < size.rows; ++y) {
      const auto row = [&](const float *array, std::int64_t layer, std::int64_t line) {
        return array + (std::clamp<std::int64_t>(layer, 0, Layers - 1) * size.rows +
                        std::clamp<std::int64_t>(line, 0, size.rows - 1)) *
                           size.cols;
      };
      computeRow({row(src, z, y), row(src, z, y - 1), row(src, z, y + 1), row(src, z + 1, y),
                  row(src, z - 1, y), row(power, z, y)},
                 m, dst + (z * size.rows + y) * size.cols, size.cols);
    }
}

} // namespace

void hotspot3d(Case &c) {
  const Size size{c.size(512, 37), c.size(512, 45)};
  const spl::Shape shape{Layers, size.rows, size.cols};
  const Material material{.centre = 1 - 2 * (0.11f + 0.13f + 0.07f) - 0.02f,
                          .northSouth = 0.11f,
                          .eastWest = 0.13f,
                          .aboveBelow = 0.07f,
                          .power = 2.5f,
                          .ambient = 0.02f,
                          .air = 80};
  const auto power = c.uniform(shape, 0.0f, 1.0f), start = c.uniform(shape, 310.0f, 350.0f);
  auto a = c.copy(start), b = c.zeros<float>(shape), aTwin = c.copy(start),
       bTwin = c.zeros<float>(shape);
  const spl::Kernel kernel = c.load("programs/hotspot3d/hotspot3d.spl")["step"];
  const spl::LaunchConfig all{.global = {size.cols, size.rows}, .local = {16, 8}};
  c.restoreBefore([&] {
    start.copyTo(a);
    start.copyTo(aTwin);
  });
  c.measure({.ours =
                 [&] {
                   for (std::int64_t step = 0; step < Steps; step += 2) {
                     c.launch(kernel, all, power, a, material, b);
                     c.launch(kernel, all, power, b, material, a);
                   }
                 },
             .twin =
                 [&] {
                   for (std::int64_t step = 0; step < Steps; step += 2) {
                     twinStep(host(power), host(aTwin), material, host(bTwin), size);
                     twinStep(host(power), host(bTwin), material, host(aTwin), size);
                   }
                 },
             .compare = [&] { c.expectNear("temperature", a, aTwin, 1e-6); }});
}

} // namespace bench::programs

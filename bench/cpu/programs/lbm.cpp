// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr int Velocities = 9, Steps = 10;
constexpr int Dx[Velocities] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int Dy[Velocities] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int Opposite[Velocities] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr float Rest = 4.0f / 9, Straight = 1.0f / 9, Skew = 1.0f / 36;
constexpr float Weight[Velocities] = {Rest, Straight, Straight, Straight, Straight,
                                      Skew, Skew,     Skew,     Skew};
constexpr float Omega = 1.2f, Force = 1e-4f;

struct Flow {
  std::int64_t height, width;
  const std::uint8_t *wall;
  std::int64_t cells() const { return height * width; }
};

/// Computes a cell of row y from column x of the row, and the columns before and after it. `rows`
/// has where the row before, this row and the next one begin.
[[gnu::always_inline]] inline void stepCell(const Flow &flow, const float *src, float *dst,
                                            const std::int64_t (&rows)[3],
                                            const std::int64_t (&columns)[3]) {
  const std::int64_t cells = flow.cells(), here = rows[1] + columns[1];
  float f[Velocities], density = 0, ux = 0, uy = 0;
  for (int k = 0; k < Velocities; ++k) {
    const std::int64_t from = rows[1 - Dy[k]] + columns[1 - Dx[k]];
    const float back = src[Opposite[k] * cells + here], arriving = src[k * cells + from];
    f[k] = flow.wall[from] ? back : arriving;
    density += f[k];
    ux += f[k] * float(Dx[k]);
    uy += f[k] * float(Dy[k]);
  }
  ux /= density;
  uy /= density;
  for (int k = 0; k < Velocities; ++k) {
    const float along = float(Dx[k]) * ux + float(Dy[k]) * uy;
    const float balanced =
        Weight[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (ux * ux + uy * uy));
    const float old = dst[k * cells + here];
    const float next = f[k] + Omega * (balanced - f[k]) + 3 * Weight[k] * Force * float(Dx[k]);
    dst[k * cells + here] = flow.wall[here] ? old : next;
  }
}

/// All cells of a row but those at its ends have their neighbours beside them.
void stepRow(const Flow &flow, const float *src, float *dst, std::int64_t y) {
  const std::int64_t width = flow.width;
  std::int64_t rows[3];
  for (int k = 0; k < 3; ++k)
    rows[k] = (y + k - 1 + flow.height) % flow.height * width;
  stepCell(flow, src, dst, rows, {width - 1, 0, 1});
#pragma omp simd
  for (std::int64_t x = 1; x < width - 1; ++x)
    stepCell(flow, src, dst, rows, {x - 1, x, x + 1});
  stepCell(flow, src, dst, rows, {width - 2, width - 1, 0});
}

void twinStep(const Flow &flow, const float *src, float *dst) {
#pragma omp parallel for
  for (std::int64_t y = 0; y < flow.height; ++y)
    stepRow(flow, src, dst, y);
}

} // namespace

void lbm(Case &c) {
  const std::int64_t height = c.size(512, 37), width = c.size(512, 45);
  const spl::Shape shape{Velocities, height, width};
  auto wall = c.zeros<std::uint8_t>({height, width});
  for (std::int64_t i = 0; i < wall.size(); ++i) {
    const std::int64_t y = i / width, x = i % width;
    host(wall)[i] =
        y == 0 || y == height - 1 || std::hypot(y - height / 2, x - width / 4) < double(height) / 7;
  }
  auto start = c.uniform(shape, 0.9f, 1.1f);
  for (std::int64_t i = 0; i < start.size(); ++i)
    host(start)[i] *= Weight[i / wall.size()];
  auto a = c.copy(start), b = c.copy(start), aTwin = c.copy(start), bTwin = c.copy(start);
  const spl::Kernel kernel = c.load("programs/lbm/lbm.spl")["step"];
  const spl::LaunchConfig all{.global = {width, height}, .local = {32, 4}};
  const Flow flow{height, width, host(wall)};
  c.restoreBefore([&] {
    start.copyTo(a);
    start.copyTo(aTwin);
  });
  c.measure({.ours =
                 [&] {
                   for (int step = 0; step < Steps; step += 2) {
                     c.launch(kernel, all, wall, a, Omega, Force, b);
                     c.launch(kernel, all, wall, b, Omega, Force, a);
                   }
                 },
             .twin =
                 [&] {
                   for (int step = 0; step < Steps; step += 2) {
                     twinStep(flow, host(aTwin), host(bTwin));
                     twinStep(flow, host(bTwin), host(aTwin));
                   }
                 },
             .compare = [&] { c.expectNear("flow", a, aTwin, 1e-5); }});
}

} // namespace bench::programs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the kernels of the examples on realistic sizes.
#include "test/e2e/Examples.h"

using namespace spl::e2e;

namespace {

/// The iterations of examples/mandelbrot.spl for one pixel, with explicit roundings.
std::int32_t escapeSteps(std::int64_t width, std::int64_t height, std::int64_t column,
                         std::int64_t row, std::int32_t limit) {
  const float scale = 3.0F / static_cast<float>(width);
  const float cx = std::fma(static_cast<float>(column) + 0.5F, scale, -2.2F);
  const float middle = std::fma(-static_cast<float>(height), 0.5F, static_cast<float>(row) + 0.5F);
  const float cy = middle * scale;
  float x = 0, y = 0;
  for (std::int32_t steps = 0; steps < limit; ++steps) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4.0F)
      return steps;
    y = std::fma(2.0F * x, y, cy);
    x = xx - yy + cx;
  }
  return limit;
}

} // namespace

TEST(Examples, VectorAdd) {
  forEachBuild(example("vector_add.spl"), everyOption(), [](const Build &build) {
    for (std::size_t n : build.sizes()) {
      const auto a = inputs<float>(n, 1), b = inputs<float>(n, 2);
      std::vector<float> out(n, -1);
      build.run("vector_add", {.global = {std::int64_t(n)}}, a, b, out);
      expectEach(
          out, [&](auto i) { return static_cast<float>(double(a[i]) + double(b[i])); }, "sum");
    }
  });
}

// The global size is not a multiple of the group size, and there are more work-items than elements.
TEST(Examples, VectorAddInGroupsOfEverySize) {
  forEachBuild(example("vector_add.spl"), everyOption(), [](const Build &build) {
    const auto a = plainFloats<float>(1025, 1), b = plainFloats<float>(1025, 2);
    for (std::int64_t local : {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 255, 256, 1024}) {
      std::vector<float> out(1025, -1);
      build.run("vector_add", {.global = {1500}, .local = {local}}, a, b, out);
      expectEach(out, [&](auto i) { return a[i] + b[i]; }, "sum");
    }
  });
}

TEST(Examples, Saxpy) {
  forEachBuild(example("saxpy.spl"), everyOption(), [](const Build &build) {
    for (std::size_t n : build.sizes()) {
      const auto x = inputs<float>(n, 3), before = inputs<float>(n, 4);
      std::vector<float> y = before;
      build.run("saxpy", {.global = {std::int64_t(n)}}, 1.1F, x, y);
      expectEach(y, [&](auto i) { return std::fma(1.1F, x[i], before[i]); }, "saxpy");
    }
  });
}

TEST(Examples, Mandelbrot) {
  const std::int64_t width = 300, height = 200;
  forEachBuild(example("mandelbrot.spl"), everyOption(), [&](const Build &build) {
    std::vector<std::int32_t> out(width * height, -1);
    build.run("mandelbrot", {.global = {width, height}}, width, height, std::int32_t(200), out);
    expectEach(
        out,
        [&](auto i) {
          const auto at = static_cast<std::int64_t>(i);
          return escapeSteps(width, height, at % width, at / width, 200);
        },
        "steps");
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr int Steps = 4;
constexpr float Rate = 0.5f;

struct Region {
  std::int32_t top, left, rows, cols;
};

struct Gradient {
  float north, south, west, east;
};

/// The squared coefficient of variation.
float speckleOf(float sum, float squares, const Region &region) {
  const double count = double(region.rows) * region.cols, mean = sum / count;
  return static_cast<float>((squares / count - mean * mean) / (mean * mean));
}

struct Size {
  std::int64_t rows, cols;
};

float twinSpeckle(const float *image, Size size, const Region &region) {
  float sum = 0, squares = 0;
#pragma omp parallel for reduction(+ : sum, squares)
  for (std::int32_t row = region.top; row < region.top + region.rows; ++row) {
    const float *pixels = image + row * size.cols + region.left;
#pragma omp simd reduction(+ : sum, squares)
    for (std::int32_t i = 0; i < region.cols; ++i) {
      sum += pixels[i];
      squares += pixels[i] * pixels[i];
    }
  }
  return speckleOf(sum, squares, region);
}

/// The coefficient of one pixel from those around it.
inline float coefficientOf(float pixel, const Gradient &g, float speckle) {
  const float slope =
      (g.north * g.north + g.south * g.south + g.west * g.west + g.east * g.east) / (pixel * pixel);
  const float laplacian = (g.north + g.south + g.west + g.east) / pixel;
  const float root = 1 + 0.25f * laplacian;
  const float variation = (0.5f * slope - 0.0625f * laplacian * laplacian) / (root * root);
  const float excess = (variation - speckle) / (speckle * (1 + speckle));
  const float result = 1 / (1 + excess);
  return result < 0 ? 0 : result > 1 ? 1 : result;
}

void twinCoefficients(const float *image, float speckle, float *coefficient, Size size) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const float *here = image + row * size.cols, *north = row > 0 ? here - size.cols : here,
                *south = row < size.rows - 1 ? here + size.cols : here;
    float *out = coefficient + row * size.cols;
    const std::int64_t last = size.cols - 1;
    out[0] = coefficientOf(here[0], {north[0] - here[0], south[0] - here[0], 0, here[1] - here[0]},
                           speckle);
#pragma omp simd
    for (std::int64_t x = 1; x < last; ++x)
      out[x] = coefficientOf(
          here[x],
          {north[x] - here[x], south[x] - here[x], here[x - 1] - here[x], here[x + 1] - here[x]},
          speckle);
    out[last] = coefficientOf(
        here[last],
        {north[last] - here[last], south[last] - here[last], here[last - 1] - here[last], 0},
        speckle);
  }
}

/// The differences are computed again, which is cheaper than to store them.
void twinDiffuse(const float *image, const float *coefficient, float *result, Size size) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const std::int64_t at = row * size.cols, down = row < size.rows - 1 ? size.cols : 0;
    const float *here = image + at, *north = row > 0 ? here - size.cols : here,
                *south = here + down, *c = coefficient + at, *below = c + down;
    float *out = result + at;
    const auto pixel = [&](std::int64_t west, std::int64_t x, std::int64_t east) {
      const float flow = c[x] * (north[x] - here[x]) + below[x] * (south[x] - here[x]) +
                         c[x] * (here[west] - here[x]) + c[east] * (here[east] - here[x]);
      return here[x] + 0.25f * Rate * flow;
    };
    out[0] = pixel(0, 0, 1);
#pragma omp simd
    for (std::int64_t x = 1; x < size.cols - 1; ++x)
      out[x] = here[x] + 0.25f * Rate *
                             (c[x] * (north[x] - here[x]) + below[x] * (south[x] - here[x]) +
                              c[x] * (here[x - 1] - here[x]) + c[x + 1] * (here[x + 1] - here[x]));
    out[size.cols - 1] = pixel(size.cols - 2, size.cols - 1, size.cols - 1);
  }
}

} // namespace

void srad(Case &c) {
  const Size size{c.size(1024, 41), c.size(1024, 61)};
  const spl::Shape shape{size.rows, size.cols};
  const Region region{3, 5, static_cast<std::int32_t>(size.rows / 4),
                      static_cast<std::int32_t>(size.cols / 4)};
  const auto start = c.uniform(shape, 0.8f, 1.2f);
  auto image = c.copy(start), imageTwin = c.copy(start), otherTwin = c.zeros<float>(shape);
  auto gradient = c.zeros<Gradient>(shape);
  auto coefficient = c.zeros<float>(shape), coefficientTwin = c.zeros<float>(shape);
  auto sums = c.zeros<float>(2);
  const spl::Module kernels = c.load("programs/srad/srad.spl");
  const spl::LaunchConfig all{.global = {size.cols, size.rows}};
  c.restoreBefore([&] {
    start.copyTo(image);
    start.copyTo(imageTwin);
  });
  c.measure(
      {.ours =
           [&] {
             for (int step = 0; step < Steps; ++step) {
               sums.fill(0);
               c.launch(kernels["add_region"], {.global = {4096}}, image, region, sums);
               const float speckle = speckleOf(host(sums)[0], host(sums)[1], region);
               c.launch(kernels["find_coefficients"], all, image, speckle, gradient, coefficient);
               c.launch(kernels["diffuse"], all, gradient, coefficient, Rate, image);
             }
           },
       .twin =
           [&] {
             float *src = host(imageTwin), *dst = host(otherTwin);
             for (int step = 0; step < Steps; ++step, std::swap(src, dst)) {
               twinCoefficients(src, twinSpeckle(src, size, region), host(coefficientTwin), size);
               twinDiffuse(src, host(coefficientTwin), dst, size);
             }
           },
       .compare = [&] { c.expectNear("pixels", image, imageTwin, 1e-3); }});
}

} // namespace bench::programs

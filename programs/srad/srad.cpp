// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <array>

namespace programs {
namespace {

constexpr int Steps = 4;
constexpr float Rate = 0.5f;

struct Region {
  std::int32_t top, left, rows, cols;
};

struct Gradient {
  float north, south, west, east;
};

struct Image {
  std::int64_t rows, cols;
  std::vector<float> pixels;
};

/// A bright disc on a dark ground, with speckle: noise that is proportional to the brightness.
Image makeImage(Run &run) {
  Image image{static_cast<std::int64_t>(run.scaledSide(83)),
              static_cast<std::int64_t>(run.scaledSide(121)),
              {}};
  for (std::int64_t row = 0; row < image.rows; ++row)
    for (std::int64_t col = 0; col < image.cols; ++col) {
      const double y = double(row) / double(image.rows) - 0.6;
      const double x = double(col) / double(image.cols) - 0.6;
      const float brightness = x * x + y * y < 0.06 ? 2.0f : 1.0f;
      image.pixels.push_back(brightness * run.between(0.8f, 1.2f));
    }
  return image;
}

/// The squared coefficient of variation.
float speckleOf(double sum, double squares, const Region &region) {
  const double count = double(region.rows) * region.cols;
  const double mean = sum / count;
  return static_cast<float>((squares / count - mean * mean) / (mean * mean));
}

float referenceSpeckle(const Image &image, const Region &region) {
  double sum = 0, squares = 0;
  for (std::int64_t row = region.top; row < region.top + region.rows; ++row)
    for (std::int64_t col = region.left; col < region.left + region.cols; ++col) {
      const double pixel = image.pixels[static_cast<std::size_t>(row * image.cols + col)];
      sum += pixel;
      squares += pixel * pixel;
    }
  return speckleOf(sum, squares, region);
}

/// The four neighbours of a pixel, with repeated edges: north, south, west and east.
std::array<std::size_t, 4> neighbours(const Image &image, std::int64_t row, std::int64_t col) {
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(y, 0, image.rows - 1) * image.cols +
                                    std::clamp<std::int64_t>(x, 0, image.cols - 1));
  };
  return {at(row - 1, col), at(row + 1, col), at(row, col - 1), at(row, col + 1)};
}

void referenceStep(Image &image, float speckle) {
  const std::vector<float> old = image.pixels;
  std::vector<float> coefficient(old.size());
  std::size_t i = 0;
  for (std::int64_t row = 0; row < image.rows; ++row)
    for (std::int64_t col = 0; col < image.cols; ++col, ++i) {
      float squares = 0, sum = 0;
      for (const std::size_t other : neighbours(image, row, col)) {
        const float difference = (old[other] - old[i]) / old[i];
        squares += difference * difference;
        sum += difference;
      }
      const float root = 1 + sum / 4;
      const float variation = (squares / 2 - sum * sum / 16) / (root * root);
      coefficient[i] =
          std::clamp(1 / (1 + (variation - speckle) / (speckle * (1 + speckle))), 0.0f, 1.0f);
    }
  i = 0;
  for (std::int64_t row = 0; row < image.rows; ++row)
    for (std::int64_t col = 0; col < image.cols; ++col, ++i) {
      const auto [north, south, west, east] = neighbours(image, row, col);
      const float flow = coefficient[i] * (old[north] + old[west] - 2 * old[i]) +
                         coefficient[south] * (old[south] - old[i]) +
                         coefficient[east] * (old[east] - old[i]);
      image.pixels[i] = old[i] + Rate / 4 * flow;
    }
}

} // namespace

void srad(Run &run) {
  Image image = makeImage(run);
  const Region region{3, 5, static_cast<std::int32_t>(image.rows / 4),
                      static_cast<std::int32_t>(image.cols / 4)};
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const spl::Shape shape{image.rows, image.cols};
  auto pixels = context.allocUpload(image.pixels, shape);
  auto gradient = context.alloc<Gradient>(shape);
  auto coefficient = context.alloc<float>(shape);
  auto sums = context.alloc<float>(2);

  const spl::LaunchConfig all{.global = {image.cols, image.rows}};
  for (int step = 0; step < Steps; ++step) {
    sums.fill(0);
    run.launch(kernels["add_region"], {.global = {700}}, pixels, region, sums);
    const std::vector<float> found = sums.download();
    const float speckle = speckleOf(found[0], found[1], region);
    run.launch(kernels["find_coefficients"], all, pixels, speckle, gradient, coefficient);
    run.launch(kernels["diffuse"], all, gradient, coefficient, Rate, pixels);
    referenceStep(image, referenceSpeckle(image, region));
  }
  // The sums are added in another order, and the speckle is a small difference of them.
  run.expectNear("pixels", pixels.download(), image.pixels, 1e-4);
}

} // namespace programs

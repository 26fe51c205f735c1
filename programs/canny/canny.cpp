// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <utility>

namespace programs {
namespace {

constexpr std::int32_t Low = 60, High = 260; // of a gradient's magnitude

template <typename T> struct Image {
  std::int32_t rows, cols;
  std::vector<T> pixels;

  Image(std::int32_t rows, std::int32_t cols) : rows(rows), cols(cols), pixels(rows * cols) {}
  T &at(std::int32_t y, std::int32_t x) { return pixels[y * cols + x]; }
  T at(std::int32_t y, std::int32_t x) const { return pixels[y * cols + x]; }
  bool isInner(std::int32_t y, std::int32_t x) const {
    return y > 0 && x > 0 && y < rows - 1 && x < cols - 1;
  }
};
using Bytes = Image<std::uint8_t>;

/// Discs of random brightness on a noisy slope.
Bytes makeImage(Run &run, std::int32_t rows, std::int32_t cols) {
  Bytes image(rows, cols);
  for (std::int32_t y = 0; y < rows; ++y)
    for (std::int32_t x = 0; x < cols; ++x)
      image.at(y, x) = static_cast<std::uint8_t>(40 + 80 * x / cols + run.below(12));
  for (std::int32_t disc = 0; disc < 9; ++disc) {
    const std::int32_t cy = run.below(rows), cx = run.below(cols), radius = 4 + run.below(rows / 4);
    const std::int32_t brighter = run.below(120) - 40;
    for (std::int32_t y = 0; y < rows; ++y)
      for (std::int32_t x = 0; x < cols; ++x)
        if ((y - cy) * (y - cy) + (x - cx) * (x - cx) < radius * radius)
          image.at(y, x) = static_cast<std::uint8_t>(std::clamp(image.at(y, x) + brighter, 0, 255));
  }
  return image;
}

Bytes blurred(const Bytes &image) {
  static constexpr std::int32_t Weights[3][3] = {{15, 12, 5}, {12, 9, 4}, {5, 4, 2}}; // by distance
  Bytes result(image.rows, image.cols);
  for (std::int32_t y = 0; y < image.rows; ++y)
    for (std::int32_t x = 0; x < image.cols; ++x) {
      std::int32_t sum = 0;
      for (std::int32_t dy = -2; dy <= 2; ++dy)
        for (std::int32_t dx = -2; dx <= 2; ++dx)
          sum +=
              Weights[std::abs(dy)][std::abs(dx)] * image.at(std::clamp(y + dy, 0, image.rows - 1),
                                                             std::clamp(x + dx, 0, image.cols - 1));
      result.at(y, x) = static_cast<std::uint8_t>(sum / 159);
    }
  return result;
}

struct Gradient {
  std::int32_t x, y;
  std::int32_t magnitude() const { return std::abs(x) + std::abs(y); }
};

Image<Gradient> gradients(const Bytes &image) {
  Image<Gradient> result(image.rows, image.cols);
  for (std::int32_t y = 1; y < image.rows - 1; ++y)
    for (std::int32_t x = 1; x < image.cols - 1; ++x)
      for (std::int32_t k = -1; k <= 1; ++k) {
        const std::int32_t weight = k == 0 ? 2 : 1;
        result.at(y, x).x += weight * (image.at(y + k, x + 1) - image.at(y + k, x - 1));
        result.at(y, x).y += weight * (image.at(y + 1, x + k) - image.at(y - 1, x + k));
      }
  return result;
}

bool isRidge(const Image<Gradient> &all, std::int32_t y, std::int32_t x) {
  const Gradient here = all.at(y, x);
  // The axis is a multiple of 45 degrees: each part of the gradient is rounded to 0, 1 or -1.
  const bool flat = 12 * std::abs(here.y) <= 5 * std::abs(here.x);
  const bool steep = !flat && 12 * std::abs(here.x) <= 5 * std::abs(here.y);
  const std::int32_t dx = steep ? 0 : here.x < 0 ? -1 : 1;
  const std::int32_t dy = flat ? 0 : here.y < 0 ? -1 : 1;
  return here.magnitude() >= all.at(y + dy, x + dx).magnitude() &&
         here.magnitude() >= all.at(y - dy, x - dx).magnitude();
}

/// Fills from each strong pixel.
std::vector<std::uint8_t> reference(const Bytes &image) {
  const Image<Gradient> all = gradients(blurred(image));
  Bytes edges(image.rows, image.cols);
  const auto isEdge = [&](std::int32_t y, std::int32_t x, std::int32_t limit) {
    return image.isInner(y, x) && edges.at(y, x) == 0 && all.at(y, x).magnitude() >= limit &&
           isRidge(all, y, x);
  };
  std::vector<std::pair<std::int32_t, std::int32_t>> waiting;
  const auto add = [&](std::int32_t y, std::int32_t x, std::int32_t limit) {
    if (isEdge(y, x, limit)) {
      edges.at(y, x) = 255;
      waiting.emplace_back(y, x);
    }
  };
  for (std::int32_t y = 0; y < image.rows; ++y)
    for (std::int32_t x = 0; x < image.cols; ++x)
      add(y, x, High);
  while (!waiting.empty()) {
    const auto [y, x] = waiting.back();
    waiting.pop_back();
    for (std::int32_t k = 0; k < 9; ++k)
      add(y + k / 3 - 1, x + k % 3 - 1, Low);
  }
  return edges.pixels;
}

} // namespace

void canny(Run &run) {
  const auto rows = static_cast<std::int32_t>(run.scaledSide(117));
  const auto cols = static_cast<std::int32_t>(run.scaledSide(151));
  const Bytes image = makeImage(run, rows, cols);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto pixels = context.allocUpload(image.pixels, {rows, cols});
  auto smooth = context.alloc<std::uint8_t>({rows, cols});
  auto magnitude = context.alloc<std::int32_t>({rows, cols});
  auto axis = context.alloc<std::int32_t>({rows, cols});
  auto state = context.alloc<std::uint8_t>({rows, cols});
  auto next = context.alloc<std::uint8_t>({rows, cols});
  auto changed = context.alloc<std::uint32_t>(1);

  const spl::LaunchConfig all{.global = {cols, rows}};
  run.launch(kernels["blur"], all, pixels, smooth);
  run.launch(kernels["gradient"], all, smooth, magnitude, axis);
  run.launch(kernels["thin"], all, magnitude, axis, Low, High, state);
  do {
    changed.fill(0);
    run.launch(kernels["hysteresis"], all, state, next, changed);
    std::swap(state, next);
  } while (changed.download()[0]);
  run.launch(kernels["edges"], all, state, next);
  run.expectEqual("edges", next.download(), reference(image));
}

} // namespace programs

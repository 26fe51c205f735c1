// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int32_t Low = 60, High = 260; // of a gradient's magnitude
constexpr std::int32_t Weights[5][5] = {
    {2, 4, 5, 4, 2}, {4, 9, 12, 9, 4}, {5, 12, 15, 12, 5}, {4, 9, 12, 9, 4}, {2, 4, 5, 4, 2}};

using Byte = std::uint8_t;

/// The steps of the twin, which keeps its arrays from run to run.
class Detector {
public:
  Detector(std::int64_t rows, std::int64_t cols)
      : rows(rows), cols(cols), blurred(rows * cols), gx(rows * cols), gy(rows * cols),
        magnitude(rows * cols) {}

  void run(const Byte *image, Byte *edges) {
    blur(image);
    differentiate();
    follow(edges);
  }

private:
  void blur(const Byte *image) {
#pragma omp parallel for
    for (std::int64_t y = 0; y < rows; ++y) {
      const Byte *lines[5];
      for (std::int64_t dy = 0; dy < 5; ++dy)
        lines[dy] = image + std::clamp<std::int64_t>(y + dy - 2, 0, rows - 1) * cols;
      const auto clamped = [&](std::int64_t x) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < 25; ++k)
          sum += Weights[k / 5][k % 5] *
                 lines[k / 5][std::clamp<std::int64_t>(x + k % 5 - 2, 0, cols - 1)];
        return static_cast<Byte>(sum / 159);
      };
      for (const std::int64_t x : {std::int64_t(0), std::int64_t(1), cols - 2, cols - 1})
        blurred[y * cols + x] = clamped(x);
      for (std::int64_t x = 2; x < cols - 2; ++x) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < 25; ++k)
          sum += Weights[k / 5][k % 5] * lines[k / 5][x + k % 5 - 2];
        blurred[y * cols + x] = static_cast<Byte>(sum / 159);
      }
    }
  }

  void differentiate() {
#pragma omp parallel for
    for (std::int64_t y = 1; y < rows - 1; ++y) {
      const Byte *above = &blurred[(y - 1) * cols], *here = above + cols, *below = here + cols;
      std::int32_t *outX = &gx[y * cols], *outY = &gy[y * cols], *sum = &magnitude[y * cols];
#pragma omp simd
      for (std::int64_t x = 1; x < cols - 1; ++x) {
        const std::int32_t byX = above[x + 1] + 2 * here[x + 1] + below[x + 1] - above[x - 1] -
                                 2 * here[x - 1] - below[x - 1];
        const std::int32_t byY =
            below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] - 2 * above[x] - above[x + 1];
        outX[x] = byX;
        outY[x] = byY;
        sum[x] = std::abs(byX) + std::abs(byY);
      }
    }
  }

  bool isRidge(std::int64_t i) const {
    const std::int32_t x = gx[i], y = gy[i];
    const bool flat = 12 * std::abs(y) <= 5 * std::abs(x);
    const bool steep = !flat && 12 * std::abs(x) <= 5 * std::abs(y);
    std::int64_t step = flat ? 1 : steep ? cols : (x > 0) == (y > 0) ? cols + 1 : cols - 1;
    return magnitude[i] >= magnitude[i + step] && magnitude[i] >= magnitude[i - step];
  }

  bool isInner(std::int64_t i) const {
    return i / cols > 0 && i / cols < rows - 1 && i % cols > 0 && i % cols < cols - 1;
  }

  /// Fills from each strong pixel.
  void follow(Byte *edges) {
    std::fill_n(edges, rows * cols, Byte(0));
#pragma omp parallel for
    for (std::int64_t i = cols; i < (rows - 1) * cols; ++i)
      if (magnitude[i] >= Low && isInner(i) && isRidge(i))
        edges[i] = magnitude[i] >= High ? 255 : 1;
    for (std::int64_t i = 0; i < rows * cols; ++i)
      if (edges[i] == 255)
        waiting.push_back(i);
    while (!waiting.empty()) {
      const std::int64_t at = waiting.back();
      waiting.pop_back();
      for (std::int64_t k = 0; k < 9; ++k)
        if (const std::int64_t other = at + (k / 3 - 1) * cols + k % 3 - 1; edges[other] == 1) {
          edges[other] = 255;
          waiting.push_back(other);
        }
    }
#pragma omp parallel for simd firstprivate(edges)
    for (std::int64_t i = 0; i < rows * cols; ++i)
      edges[i] = edges[i] == 255 ? 255 : 0;
  }

  std::int64_t rows, cols;
  std::vector<Byte> blurred;
  std::vector<std::int32_t> gx, gy, magnitude;
  std::vector<std::int64_t> waiting;
};

/// Discs of random brightness on a noisy slope.
spl::Array<Byte> makeImage(Case &c, std::int64_t rows, std::int64_t cols) {
  auto image = c.zeros<Byte>({rows, cols});
  for (std::int64_t i = 0; i < rows * cols; ++i)
    host(image)[i] = static_cast<Byte>(40 + 80 * (i % cols) / cols + c.draw(0, 12));
  for (int disc = 0; disc < 30; ++disc) {
    const std::int64_t cy = c.draw<std::int64_t>(0, rows), cx = c.draw<std::int64_t>(0, cols);
    const std::int64_t radius = 4 + c.draw<std::int64_t>(0, rows / 8);
    const int brighter = c.draw(0, 120) - 40;
    for (std::int64_t i = 0; i < rows * cols; ++i) {
      const std::int64_t y = i / cols - cy, x = i % cols - cx;
      if (y * y + x * x < radius * radius)
        host(image)[i] = static_cast<Byte>(std::clamp(host(image)[i] + brighter, 0, 255));
    }
  }
  return image;
}

} // namespace

void canny(Case &c) {
  const std::int64_t rows = c.size(1024, 67), cols = c.size(1024, 83);
  const auto image = makeImage(c, rows, cols);
  auto smooth = c.zeros<Byte>({rows, cols}), state = c.zeros<Byte>({rows, cols}),
       next = c.zeros<Byte>({rows, cols}), edges = c.zeros<Byte>({rows, cols}),
       edgesTwin = c.zeros<Byte>({rows, cols});
  auto magnitude = c.zeros<std::int32_t>({rows, cols}), axis = c.zeros<std::int32_t>({rows, cols});
  auto changed = c.zeros<std::uint32_t>(1);
  const spl::Module kernels = c.load("programs/canny/canny.spl");
  const spl::LaunchConfig all{.global = {cols, rows}};
  Detector detector(rows, cols);
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["blur"], all, image, smooth);
                   c.launch(kernels["gradient"], all, smooth, magnitude, axis);
                   c.launch(kernels["thin"], all, magnitude, axis, Low, High, state);
                   auto *from = &state, *to = &next;
                   do {
                     changed.fill(0);
                     c.launch(kernels["hysteresis"], all, *from, *to, changed);
                     std::swap(from, to);
                   } while (host(changed)[0]);
                   c.launch(kernels["edges"], all, *from, edges);
                 },
             .twin = [&] { detector.run(host(image), host(edgesTwin)); },
             .compare = [&] { c.expectEqual("edges", edges, edgesTwin); }});
}

} // namespace bench::programs

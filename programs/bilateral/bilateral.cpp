// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <array>

namespace programs {
namespace {

constexpr std::int64_t Radius = 3;
constexpr float SigmaSpace = 2, SigmaColour = 0.2f;

using Pixel = std::array<std::uint8_t, 4>;
struct Image {
  std::int64_t rows, cols;
  std::vector<Pixel> pixels;

  /// Edges are repeated.
  const Pixel &at(std::int64_t y, std::int64_t x) const {
    return pixels[std::clamp<std::int64_t>(y, 0, rows - 1) * cols +
                  std::clamp<std::int64_t>(x, 0, cols - 1)];
  }
};

/// Squares of random colours, with noise.
Image makeImage(Run &run, std::int64_t rows, std::int64_t cols) {
  Image image{rows, cols, {}};
  std::array<Pixel, 7> colours;
  for (Pixel &colour : colours)
    for (std::uint8_t &channel : colour)
      channel = static_cast<std::uint8_t>(run.below(226));
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    Pixel pixel = colours[(i / cols / 10 + i % cols / 10) % 7];
    for (std::uint8_t &channel : pixel)
      channel = static_cast<std::uint8_t>(channel + run.below(30));
    image.pixels.push_back(pixel);
  }
  return image;
}

std::vector<double> channels(const std::vector<Pixel> &pixels) {
  std::vector<double> result;
  for (const Pixel &pixel : pixels)
    result.insert(result.end(), pixel.begin(), pixel.end());
  return result;
}

/// The square of the distance, relative to sigma.
double difference(const Pixel &a, const Pixel &b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) // not the alpha
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum / (255.0 * 255.0) / (SigmaColour * SigmaColour);
}

/// The channels, not rounded.
std::array<double, 4> filtered(const Image &image, std::int64_t y, std::int64_t x) {
  std::array<double, 4> sum{};
  double total = 0;
  for (std::int64_t dy = -Radius; dy <= Radius; ++dy)
    for (std::int64_t dx = -Radius; dx <= Radius; ++dx) {
      const Pixel &other = image.at(y + dy, x + dx);
      const double near = double(dy * dy + dx * dx) / (SigmaSpace * SigmaSpace);
      const double weight = std::exp(-(near + difference(image.at(y, x), other)) / 2);
      total += weight;
      for (int k = 0; k < 4; ++k)
        sum[k] += weight * other[k];
    }
  for (double &channel : sum)
    channel /= total;
  return sum;
}

} // namespace

void bilateral(Run &run) {
  const auto rows = static_cast<std::int64_t>(run.scaledSide(67));
  const auto cols = static_cast<std::int64_t>(run.scaledSide(83));
  const Image image = makeImage(run, rows, cols);
  std::vector<float> spatial;
  for (std::int64_t k = 0; k <= Radius; ++k)
    spatial.push_back(std::exp(-float(k * k) / (2 * SigmaSpace * SigmaSpace)));
  std::vector<double> expected;
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < cols; ++x)
      for (const double channel : filtered(image, y, x))
        expected.push_back(channel);

  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();
  const auto src = context.allocUpload(image.pixels, {rows, cols});
  const auto weights = context.allocUpload(spatial);
  auto dst = context.alloc<Pixel>({rows, cols});
  run.launch(kernels["bilateral"], {.global = {cols, rows}}, src, weights, SigmaColour, dst);
  // The kernel rounds to the nearest integer, up to the errors of float. With a scale of more than
  // all channels, the tolerance is absolute.
  run.expectNear("channels", channels(dst.download()), expected, 0.501 / 256, 256);
}

} // namespace programs

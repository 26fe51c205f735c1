// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Radius = 3;
constexpr float Sigma = 0.2f;

using Pixel = std::array<std::uint8_t, 4>;

struct Image {
  std::int64_t rows, cols;
  const Pixel *pixels;
};

Pixel filtered(const Image &image, const float *spatial, std::int64_t row, std::int64_t col) {
  const Pixel centre = image.pixels[row * image.cols + col];
  float sum[4] = {}, total = 0;
  for (std::int64_t dy = -Radius; dy <= Radius; ++dy) {
    const std::int64_t y = std::clamp<std::int64_t>(row + dy, 0, image.rows - 1);
    for (std::int64_t dx = -Radius; dx <= Radius; ++dx) {
      const std::int64_t x = std::clamp<std::int64_t>(col + dx, 0, image.cols - 1);
      const Pixel other = image.pixels[y * image.cols + x];
      std::int32_t squares = 0;
      for (int k = 0; k < 3; ++k)
        squares += (other[k] - centre[k]) * (other[k] - centre[k]);
      const float weight = spatial[std::abs(dy)] * spatial[std::abs(dx)] *
                           std::exp(-float(squares) / (255 * 255 * 2 * Sigma * Sigma));
      total += weight;
      for (int k = 0; k < 4; ++k)
        sum[k] += weight * other[k];
    }
  }
  Pixel result;
  for (int k = 0; k < 4; ++k)
    result[k] = static_cast<std::uint8_t>(std::rint(sum[k] / total));
  return result;
}

void twin(const Image &image, const float *spatial, Pixel *dst) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < image.rows; ++row)
    for (std::int64_t col = 0; col < image.cols; ++col)
      dst[row * image.cols + col] = filtered(image, spatial, row, col);
}

} // namespace

void bilateral(Case &c) {
  const std::int64_t rows = c.size(512, 37), cols = c.size(512, 45);
  auto src = c.zeros<Pixel>({rows, cols});
  for (std::int64_t i = 0; i < src.size(); ++i)
    for (std::uint8_t &channel : host(src)[i])
      channel =
          static_cast<std::uint8_t>(100 * (i / cols / 10 + i % cols / 10) % 200 + c.draw(0, 50));
  std::vector<float> weights;
  for (std::int64_t k = 0; k <= Radius; ++k)
    weights.push_back(std::exp(-float(k * k) / 8));
  const auto spatial = c.context().allocUpload(weights);
  auto dst = c.zeros<Pixel>({rows, cols}), dstTwin = c.zeros<Pixel>({rows, cols});
  const spl::Kernel kernel = c.load("programs/bilateral/bilateral.spl")["bilateral"];
  c.measure({.ours = [&] { c.launch(kernel, {.global = {cols, rows}}, src, spatial, Sigma, dst); },
             .twin = [&] { twin({rows, cols, host(src)}, host(spatial), host(dstTwin)); },
             .compare =
                 [&] {
                   c.expectNear("dst", numbers<std::uint8_t>(dst), numbers<std::uint8_t>(dstTwin),
                                0, 1, 1e-3);
                 }});
}

} // namespace bench::programs

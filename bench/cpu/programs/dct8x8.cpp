// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <numbers>

namespace bench::programs {
namespace {

constexpr std::int64_t Side = 8;
constexpr float Quantum[Side * Side] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

using Block = float[Side][Side];

/// The size of an image, a multiple of Side.
struct Size {
  std::int64_t rows, cols;
};

struct Basis {
  Block direct, transposed;
  Basis() {
    for (int k = 0; k < Side; ++k)
      for (int x = 0; x < Side; ++x)
        direct[k][x] = transposed[x][k] =
            k == 0 ? std::sqrt(1.0f / Side)
                   : 0.5f * std::cos(float(k * (2 * x + 1)) *
                                     (std::numbers::pi_v<float> / (2 * Side)));
  }
};

/// out = a * b, with rows of b that fit into a vector.
inline void multiply(const Block &a, const Block &b, Block &out) {
  for (int y = 0; y < Side; ++y) {
    float row[Side] = {};
    for (int k = 0; k < Side; ++k)
      for (int x = 0; x < Side; ++x)
        row[x] += a[y][k] * b[k][x];
    std::copy_n(row, Side, out[y]);
  }
}

void forward(const Basis &basis, const std::uint8_t *image, std::int16_t *coefficients, Size size) {
#pragma omp parallel for
  for (std::int64_t top = 0; top < size.rows; top += Side)
    for (std::int64_t left = 0; left < size.cols; left += Side) {
      Block block, half, result;
      for (int y = 0; y < Side; ++y)
        for (int x = 0; x < Side; ++x)
          block[y][x] = float(image[(top + y) * size.cols + left + x]) - 128;
      multiply(basis.direct, block, half);
      multiply(half, basis.transposed, result);
      for (int y = 0; y < Side; ++y)
        for (int x = 0; x < Side; ++x)
          coefficients[(top + y) * size.cols + left + x] =
              static_cast<std::int16_t>(std::round(result[y][x] / Quantum[y * Side + x]));
    }
}

void inverse(const Basis &basis, const std::int16_t *coefficients, std::uint8_t *image, Size size) {
#pragma omp parallel for
  for (std::int64_t top = 0; top < size.rows; top += Side)
    for (std::int64_t left = 0; left < size.cols; left += Side) {
      Block block, half, result;
      for (int y = 0; y < Side; ++y)
        for (int x = 0; x < Side; ++x)
          block[y][x] = coefficients[(top + y) * size.cols + left + x] * Quantum[y * Side + x];
      multiply(basis.transposed, block, half);
      multiply(half, basis.direct, result);
      for (int y = 0; y < Side; ++y)
        for (int x = 0; x < Side; ++x)
          image[(top + y) * size.cols + left + x] =
              static_cast<std::uint8_t>(std::clamp(std::round(result[y][x] + 128), 0.0f, 255.0f));
    }
}

} // namespace

void dct8x8(Case &c) {
  const Size size{c.size(2048, 40), c.size(2048, 48)};
  const spl::Shape shape{size.rows, size.cols};
  auto image = c.zeros<std::uint8_t>(shape);
  for (std::int64_t i = 0; i < image.size(); ++i)
    host(image)[i] = static_cast<std::uint8_t>(
        110 + 70 * std::sin(double(i / size.cols * (i % size.cols)) / 300) + c.draw(0.0, 70.0));
  auto quantised = c.zeros<std::int16_t>(shape), quantisedTwin = c.zeros<std::int16_t>(shape);
  auto restored = c.zeros<std::uint8_t>(shape), restoredTwin = c.zeros<std::uint8_t>(shape);
  const spl::Module kernels = c.load("programs/dct8x8/dct8x8.spl");
  const spl::LaunchConfig all{.global = {size.cols, size.rows}};
  const Basis basis;
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["forward"], all, image, quantised);
                   c.launch(kernels["inverse"], all, quantised, restored);
                 },
             .twin =
                 [&] {
                   forward(basis, host(image), host(quantisedTwin), size);
                   inverse(basis, host(quantisedTwin), host(restoredTwin), size);
                 },
             // A rounding decides between two integers.
             .compare =
                 [&] {
                   c.expectNear("coefficients", quantised, quantisedTwin, 0, 1, 1e-3);
                   c.expectNear("pixels", restored, restoredTwin, 0, 1, 1e-2);
                 }});
}

} // namespace bench::programs

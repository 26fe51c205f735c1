// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <numbers>

namespace programs {
namespace {

constexpr std::int64_t Side = 8;
constexpr double Quantum[] = {16,  11,  10,  16,  24, 40, 51,  61,  12,  12,  14,  19,  26,
                              58,  60,  55,  14,  13, 16, 24,  40,  57,  69,  56,  14,  17,
                              22,  29,  51,  87,  80, 62, 18,  22,  37,  56,  68,  109, 103,
                              77,  24,  35,  55,  64, 81, 104, 113, 92,  49,  64,  78,  87,
                              103, 121, 120, 101, 72, 92, 95,  98,  112, 100, 103, 99};

struct Size {
  std::int64_t rows, cols;
  std::int64_t paddedRows() const { return (rows + Side - 1) / Side * Side; }
  std::int64_t paddedCols() const { return (cols + Side - 1) / Side * Side; }
};

double basis(std::int64_t frequency, std::int64_t position) {
  const double factor = frequency == 0 ? std::sqrt(1.0 / Side) : std::sqrt(2.0 / Side);
  return factor * std::cos(double(frequency * (2 * position + 1)) * std::numbers::pi / (2 * Side));
}

/// A smooth picture with noise, so that many coefficients are not 0.
std::vector<std::uint8_t> makeImage(Run &run, const Size &size) {
  std::vector<std::uint8_t> image;
  for (std::int64_t y = 0; y < size.rows; ++y)
    for (std::int64_t x = 0; x < size.cols; ++x)
      image.push_back(static_cast<std::uint8_t>(110 + 70 * std::sin(double(x * y) / 300) +
                                                run.between(0.0, 70.0)));
  return image;
}

/// Calls \p visit with each element of a padded array, in order, and with the block it is in.
template <typename Visit> void forEach(const Size &size, const Visit &visit) {
  for (std::int64_t y = 0; y < size.paddedRows(); ++y)
    for (std::int64_t x = 0; x < size.paddedCols(); ++x)
      visit(y, x, y / Side * Side, x / Side * Side);
}

/// Not rounded.
std::vector<double> coefficients(const std::vector<std::uint8_t> &image, const Size &size) {
  std::vector<double> result;
  forEach(size, [&](std::int64_t y, std::int64_t x, std::int64_t top, std::int64_t left) {
    double sum = 0;
    for (std::int64_t k = 0; k < Side * Side; ++k) {
      const std::int64_t row = std::min(top + k / Side, size.rows - 1);
      const std::int64_t col = std::min(left + k % Side, size.cols - 1);
      sum += basis(y - top, k / Side) * basis(x - left, k % Side) *
             (image[row * size.cols + col] - 128.0);
    }
    result.push_back(sum / Quantum[(y - top) * Side + x - left]);
  });
  return result;
}

/// Not rounded.
std::vector<double> pixels(const std::vector<std::int16_t> &from, const Size &size) {
  std::vector<double> result;
  forEach(size, [&](std::int64_t y, std::int64_t x, std::int64_t top, std::int64_t left) {
    if (y >= size.rows || x >= size.cols)
      return;
    double sum = 128;
    for (std::int64_t k = 0; k < Side * Side; ++k)
      sum += basis(k / Side, y - top) * basis(k % Side, x - left) * Quantum[k] *
             from[(top + k / Side) * size.paddedCols() + left + k % Side];
    result.push_back(std::clamp(sum, 0.0, 255.0));
  });
  return result;
}

template <typename T>
void expectRounded(Run &run, std::string_view what, const std::vector<T> &actual,
                   const std::vector<double> &exact) {
  constexpr double Scale = 1 << 12; // more than all numbers: the tolerance is absolute
  run.expectNear(what, std::vector<double>(actual.begin(), actual.end()), exact, 0.5001 / Scale,
                 Scale);
}

} // namespace

void dct8x8(Run &run) {
  const Size size{std::int64_t(run.scaledSide(93)), std::int64_t(run.scaledSide(125))};
  const std::vector<std::uint8_t> image = makeImage(run, size);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto source = context.allocUpload(image, {size.rows, size.cols});
  auto quantised = context.alloc<std::int16_t>({size.paddedRows(), size.paddedCols()});
  auto restored = context.alloc<std::uint8_t>({size.rows, size.cols});
  const spl::LaunchConfig all{.global = {size.paddedCols(), size.paddedRows()}};
  run.launch(kernels["forward"], all, source, quantised);
  run.launch(kernels["inverse"], all, quantised, restored);

  // The kernels round to the nearest integer, up to the errors of float.
  const std::vector<std::int16_t> rounded = quantised.download();
  expectRounded(run, "coefficients", rounded, coefficients(image, size));
  expectRounded(run, "pixels", restored.download(), pixels(rounded, size));
}

} // namespace programs

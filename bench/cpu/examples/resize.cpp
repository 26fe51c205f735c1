// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

struct Size {
  std::int64_t rows, cols;
};

/// A position between two pixels of a row or column.
struct Between {
  std::int64_t before, after;
  float share; ///< of the pixel after
};

Between between(std::int64_t i, std::int64_t from, std::int64_t to) {
  const float at =
      std::clamp((float(i) + 0.5f) * float(from) / float(to) - 0.5f, 0.0f, float(from - 1));
  const auto before = static_cast<std::int64_t>(at);
  return {before, std::min(before + 1, from - 1), at - float(before)};
}

float mix(float a, float b, float share) { return a + share * (b - a); }

/// The positions of all columns are computed once.
void twin(const Pixel *src, Size from, Pixel *dst, Size to) {
  std::vector<Between> columns(to.cols);
  for (std::int64_t col = 0; col < to.cols; ++col)
    columns[col] = between(col, from.cols, to.cols);
#pragma omp parallel for
  for (std::int64_t row = 0; row < to.rows; ++row) {
    const Between y = between(row, from.rows, to.rows);
    const Pixel *above = src + y.before * from.cols, *below = src + y.after * from.cols;
    for (std::int64_t col = 0; col < to.cols; ++col) {
      const Between x = columns[col];
      for (int k = 0; k < 4; ++k) {
        const float top = mix(above[x.before][k], above[x.after][k], x.share);
        const float bottom = mix(below[x.before][k], below[x.after][k], x.share);
        dst[row * to.cols + col][k] = std::uint8_t(std::rint(mix(top, bottom, y.share)));
      }
    }
  }
}

} // namespace

void resize(Case &c) {
  const Size from{c.size(2000, 9), c.size(2000, 13)}, to{c.size(3072, 27), c.size(4096, 31)};
  auto src = c.zeros<Pixel>({from.rows, from.cols});
  for (std::int64_t i = 0; i < src.size(); ++i)
    for (std::uint8_t &channel : host(src)[i])
      channel = static_cast<std::uint8_t>(c.draw(0, 256));
  auto dst = c.zeros<Pixel>({to.rows, to.cols}), dstTwin = c.zeros<Pixel>({to.rows, to.cols});
  const spl::Kernel kernel = c.load("examples/resize.spl")["resize"];
  c.measure({.ours = [&] { c.launch(kernel, {.global = {to.cols, to.rows}}, src, dst); },
             .twin = [&] { twin(host(src), from, host(dstTwin), to); },
             .compare =
                 [&] {
                   c.expectNear("dst", numbers<std::uint8_t>(dst), numbers<std::uint8_t>(dstTwin),
                                0, 1, 1e-3);
                 }});
}

} // namespace bench::examples

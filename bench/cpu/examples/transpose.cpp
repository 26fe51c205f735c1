// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

/// By blocks, through a buffer, so that the lines of both arrays are used as a whole.
template <typename T> void twin(const T *src, T *dst, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t Block = 64;
#pragma omp parallel for collapse(2)
  for (std::int64_t top = 0; top < rows; top += Block)
    for (std::int64_t left = 0; left < cols; left += Block) {
      const std::int64_t height = std::min(Block, rows - top), width = std::min(Block, cols - left);
      T block[Block][Block + 1];
      for (std::int64_t row = 0; row < height; ++row)
        for (std::int64_t col = 0; col < width; ++col)
          block[col][row] = src[(top + row) * cols + left + col];
      for (std::int64_t col = 0; col < width; ++col)
        std::copy_n(block[col], height, dst + (left + col) * rows + top);
    }
}

template <typename T> void measure(Case &c, const char *name, const char *optionsCl) {
  const std::int64_t rows = c.size(4096, 37), cols = c.size(4096, 45);
  const auto src = c.uniform({rows, cols}, T(0), T(100));
  auto dst = c.zeros<T>({cols, rows}), dstTwin = c.zeros<T>({cols, rows}),
       dstCl = c.zeros<T>({cols, rows});
  const spl::Kernel kernel = c.load("examples/transpose.spl", {name})[name];
  const auto kernelCl = c.loadOpenCl("transpose.cl", "transpose", optionsCl);
  const spl::LaunchConfig tiles{.global = {(cols + 31) / 32 * 32, (rows + 31) / 32 * 8},
                                .local = {32, 8}};
  c.measure(
      {.ours = [&] { c.launch(kernel, tiles, src, dst); },
       .twin = [&] { twin(host(src), host(dstTwin), rows, cols); },
       .compare = [&] { c.expectEqual("dst", dst, dstTwin); },
       .openCl =
           [&] { c.launch(kernelCl, tiles, src, dstCl, std::int32_t(rows), std::int32_t(cols)); },
       .compareOpenCl = [&] { c.expectEqual("dst", dst, dstCl); }});
}

} // namespace

void transposeF32(Case &c) { measure<float>(c, "transpose[f32]", "-DT=float"); }
void transposeU8(Case &c) { measure<std::uint8_t>(c, "transpose[u8]", "-DT=uchar"); }

} // namespace bench::examples

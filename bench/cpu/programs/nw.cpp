// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int32_t Letters = 24, Gap = 5;

struct Scores {
  const std::uint8_t *a, *b;
  std::int64_t rows, cols; // without row 0 and column 0, which are given
  const std::int32_t *similarity;
  std::int32_t *score;

  void fillTile(std::int64_t top, std::int64_t left, std::int64_t side) const {
    const std::int64_t pitch = cols + 1;
    for (std::int64_t y = top; y < std::min(top + side, rows); ++y) {
      const std::int32_t *above = score + y * pitch, *similar = similarity + a[y] * Letters;
      std::int32_t *here = score + (y + 1) * pitch, last = here[left];
      for (std::int64_t x = left; x < std::min(left + side, cols); ++x) {
        const std::int32_t other = std::max(above[x] + similar[b[x]], above[x + 1] - Gap);
        here[x + 1] = last = std::max(other, last - Gap);
      }
    }
  }

  /// The tiles of an anti-diagonal do not depend on each other.
  void fill() const {
    constexpr std::int64_t Side = 128;
    const std::int64_t down = (rows + Side - 1) / Side, across = (cols + Side - 1) / Side;
#pragma omp parallel
    for (std::int64_t diagonal = 0; diagonal < down + across - 1; ++diagonal) {
#pragma omp for
      for (std::int64_t tile = std::max<std::int64_t>(0, diagonal - across + 1);
           tile <= std::min(diagonal, down - 1); ++tile)
        fillTile(tile * Side, (diagonal - tile) * Side, Side);
    }
  }
};

} // namespace

void nw(Case &c) {
  constexpr std::int64_t Tile = 16; // of the kernel
  const std::int64_t rows = c.size(2048, 75), cols = c.size(2048, 150);
  const auto a = c.uniform<std::uint8_t>(rows, 0, Letters),
             b = c.uniform<std::uint8_t>(cols, 0, Letters);
  const auto similarity = c.uniform({Letters, Letters}, -4, 9);
  auto score = c.zeros<std::int32_t>({rows + 1, cols + 1});
  for (std::int64_t y = 0; y <= rows; ++y)
    host(score)[y * (cols + 1)] = -Gap * static_cast<std::int32_t>(y);
  for (std::int64_t x = 0; x <= cols; ++x)
    host(score)[x] = -Gap * static_cast<std::int32_t>(x);
  auto scoreTwin = c.copy(score);
  const spl::Kernel kernel = c.load("programs/nw/nw.spl")["fill_diagonal"];
  const auto ours = [&] {
    const std::int64_t down = (rows + Tile - 1) / Tile, across = (cols + Tile - 1) / Tile;
    for (std::int64_t diagonal = 0; diagonal < down + across - 1; ++diagonal) {
      const std::int64_t first = std::max<std::int64_t>(0, diagonal - across + 1);
      const std::int64_t last = std::min(diagonal, down - 1);
      c.launch(kernel, {.global = {(last - first + 1) * Tile}, .local = {Tile}}, a, b, similarity,
               Gap, static_cast<std::int32_t>(diagonal), static_cast<std::int32_t>(first), score);
    }
  };
  const Scores twin{host(a), host(b), rows, cols, host(similarity), host(scoreTwin)};
  c.measure({.ours = ours,
             .twin = [&] { twin.fill(); },
             .compare = [&] { c.expectEqual("score", score, scoreTwin); }});
}

} // namespace bench::programs

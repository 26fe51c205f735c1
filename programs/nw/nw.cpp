// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>

namespace programs {
namespace {

constexpr std::int32_t Letters = 24, Gap = 5;
constexpr std::int64_t Tile = 16;

struct Sequences {
  std::vector<std::uint8_t> a, b;
  std::vector<std::int32_t> similarity; ///< of each pair of letters
};

std::vector<std::uint8_t> makeSequence(Run &run, std::size_t size) {
  std::vector<std::uint8_t> sequence(size);
  for (std::uint8_t &letter : sequence)
    letter = static_cast<std::uint8_t>(run.below(Letters));
  return sequence;
}

Sequences makeSequences(Run &run) {
  Sequences data{makeSequence(run, run.scaledSide(150)), makeSequence(run, run.scaledSide(217)),
                 std::vector<std::int32_t>(Letters * Letters)};
  for (std::int32_t i = 0; i < Letters; ++i)
    for (std::int32_t j = 0; j <= i; ++j)
      data.similarity[i * Letters + j] = data.similarity[j * Letters + i] =
          i == j ? 4 + run.below(8) : run.below(8) - 4;
  return data;
}

/// Zeros, but for the first row and column: there, one sequence is aligned with nothing.
std::vector<std::int32_t> makeScores(const Sequences &data) {
  const std::size_t columns = data.b.size() + 1;
  std::vector<std::int32_t> score((data.a.size() + 1) * columns);
  for (std::size_t i = 0; i <= data.a.size(); ++i)
    score[i * columns] = -Gap * static_cast<std::int32_t>(i);
  for (std::size_t j = 0; j < columns; ++j)
    score[j] = -Gap * static_cast<std::int32_t>(j);
  return score;
}

std::vector<std::int32_t> reference(const Sequences &data) {
  const std::size_t columns = data.b.size() + 1;
  std::vector<std::int32_t> score = makeScores(data);
  for (std::size_t i = 1; i <= data.a.size(); ++i)
    for (std::size_t j = 1; j < columns; ++j) {
      const std::int32_t *above = &score[(i - 1) * columns + j];
      const std::int32_t similar = data.similarity[data.a[i - 1] * Letters + data.b[j - 1]];
      std::int32_t &cell = score[i * columns + j];
      cell = std::max({above[-1] + similar, above[0] - Gap, (&cell)[-1] - Gap});
    }
  return score;
}

} // namespace

void nw(Run &run) {
  const Sequences data = makeSequences(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto rows = static_cast<std::int64_t>(data.a.size());
  const auto columns = static_cast<std::int64_t>(data.b.size());
  const auto a = context.allocUpload(data.a);
  const auto b = context.allocUpload(data.b);
  const auto similarity = context.allocUpload(data.similarity, {Letters, Letters});
  auto score = context.allocUpload(makeScores(data), {rows + 1, columns + 1});

  const std::int64_t tileRows = (rows + Tile - 1) / Tile;
  const std::int64_t tileColumns = (columns + Tile - 1) / Tile;
  for (std::int64_t diagonal = 0; diagonal < tileRows + tileColumns - 1; ++diagonal) {
    const std::int64_t first = std::max<std::int64_t>(0, diagonal - tileColumns + 1);
    const std::int64_t last = std::min(diagonal, tileRows - 1);
    run.launch(kernels["fill_diagonal"], {.global = {(last - first + 1) * Tile}, .local = {Tile}},
               a, b, similarity, Gap, static_cast<std::int32_t>(diagonal),
               static_cast<std::int32_t>(first), score);
  }
  run.expectEqual("score", score.download(), reference(data));
}

} // namespace programs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

struct Costs {
  std::int32_t equal, different, openGap, extendGap;
};

struct Pair {
  std::int32_t query, queryEnd, target, targetEnd;
};

constexpr std::int32_t Longest = 200;

/// The matrix row by row, of which one row is kept (Gotoh, 1982).
std::int32_t bestScore(std::span<const std::uint8_t> query, std::span<const std::uint8_t> target,
                       const Costs &costs) {
  std::int32_t scores[Longest + 1] = {}, gaps[Longest + 1] = {}, best = 0;
  for (const std::uint8_t letter : query) {
    std::int32_t diagonal = 0, left = 0, gap = 0;
    for (std::size_t j = 1; j <= target.size(); ++j) {
      gap = std::max(left - costs.openGap, gap - costs.extendGap);
      gaps[j] = std::max(scores[j] - costs.openGap, gaps[j] - costs.extendGap);
      const std::int32_t aligned =
          diagonal + (letter == target[j - 1] ? costs.equal : costs.different);
      diagonal = scores[j];
      scores[j] = left = std::max({0, aligned, gap, gaps[j]});
      best = std::max(best, left);
    }
  }
  return best;
}

void twin(const std::vector<Pair> &pairs, const std::vector<std::uint8_t> &letters,
          const Costs &costs, std::int32_t *scores) {
  const auto part = [&](std::int32_t first, std::int32_t end) {
    return std::span<const std::uint8_t>(letters).subspan(first, end - first);
  };
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < pairs.size(); ++i)
    scores[i] = bestScore(part(pairs[i].query, pairs[i].queryEnd),
                          part(pairs[i].target, pairs[i].targetEnd), costs);
}

} // namespace

void smithwaterman(Case &c) {
  const Costs costs = {5, -4, 7, 2};
  std::vector<std::uint8_t> letters;
  const auto add = [&](std::int32_t size) {
    for (std::int32_t i = 0; i < size; ++i)
      letters.push_back("ACGT"[c.draw(0, 4)]);
    return static_cast<std::int32_t>(letters.size());
  };
  std::vector<Pair> pairs(c.size(2000, 13));
  for (Pair &pair : pairs) {
    pair.query = add(0);
    pair.queryEnd = pair.target = add(c.draw(1, 150));
    pair.targetEnd = add(c.draw(0, 150));
  }
  const auto n = static_cast<std::int64_t>(pairs.size());
  const auto sequences = c.context().allocUpload(letters);
  const auto jobs = c.context().allocUpload(pairs);
  auto scores = c.zeros<std::int32_t>(n), scoresTwin = c.zeros<std::int32_t>(n);
  const spl::Kernel kernel = c.load("programs/smithwaterman/smithwaterman.spl")["align"];
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {64 * n}}, jobs, sequences, costs, scores); },
       .twin = [&] { twin(pairs, letters, costs, host(scoresTwin)); },
       .compare = [&] { c.expectEqual("scores", scores, scoresTwin); }});
}

} // namespace bench::programs

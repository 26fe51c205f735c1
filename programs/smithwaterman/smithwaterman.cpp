// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <numeric>

namespace programs {
namespace {

struct Costs {
  std::int32_t equal, different, openGap, extendGap;
};

struct Pair {
  std::int32_t query, queryEnd, target, targetEnd;
};

std::string randomSequence(Run &run, std::int32_t size) {
  std::string result;
  for (std::int32_t i = 0; i < size; ++i)
    result += "ACGT"[run.below(4)];
  return result;
}

/// A sequence with some letters of \p from changed, dropped or added.
std::string mutated(Run &run, const std::string &from) {
  std::string result;
  for (const char letter : from) {
    const int event = run.below(20);
    if (event == 0)
      result += randomSequence(run, 1 + run.below(4));
    if (event != 1)
      result += event == 2 ? 'A' : letter;
  }
  return result;
}

/// The matrix row by row. A gap of any length is tried at each cell, as Smith and Waterman do it.
std::int32_t bestScore(std::string_view query, std::string_view target, const Costs &costs) {
  std::vector<std::vector<std::int32_t>> scores(query.size() + 1,
                                                std::vector<std::int32_t>(target.size() + 1));
  std::int32_t best = 0;
  const auto gap = [&](std::size_t size) {
    return costs.openGap + static_cast<std::int32_t>(size - 1) * costs.extendGap;
  };
  for (std::size_t i = 1; i <= query.size(); ++i)
    for (std::size_t j = 1; j <= target.size(); ++j) {
      std::int32_t &score = scores[i][j];
      const bool equal = query[i - 1] == target[j - 1];
      score = std::max(0, scores[i - 1][j - 1] + (equal ? costs.equal : costs.different));
      for (std::size_t k = 1; k <= i; ++k)
        score = std::max(score, scores[i - k][j] - gap(k));
      for (std::size_t k = 1; k <= j; ++k)
        score = std::max(score, scores[i][j - k] - gap(k));
      best = std::max(best, score);
    }
  return best;
}

} // namespace

void smithwaterman(Run &run) {
  const Costs costs = {5, -4, 7, 2};
  std::string letters;
  std::vector<Pair> pairs(run.scaled(13));
  std::vector<std::int32_t> expected;
  for (Pair &pair : pairs) {
    // Half of the targets have a part of the query within.
    const std::string query = randomSequence(run, 1 + run.below(150));
    const std::string part = mutated(run, query.substr(query.size() / 3)).substr(0, 60);
    const std::string target =
        run.below(2) ? randomSequence(run, 40) + part + "CAT" : randomSequence(run, run.below(150));
    pair.query = static_cast<std::int32_t>(letters.size());
    letters += query;
    pair.queryEnd = pair.target = static_cast<std::int32_t>(letters.size());
    letters += target;
    pair.targetEnd = static_cast<std::int32_t>(letters.size());
    expected.push_back(bestScore(query, target, costs));
  }
  const auto size = static_cast<std::int64_t>(pairs.size());
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto sequences =
      context.allocUpload(std::vector<std::uint8_t>(letters.begin(), letters.end()));
  const auto jobs = context.allocUpload(pairs);
  auto scores = context.alloc<std::int32_t>(size);
  run.launch(kernels["align"], {.global = {size * 64}}, jobs, sequences, costs, scores);
  run.expectEqual("scores", scores.download(), expected);
}

} // namespace programs

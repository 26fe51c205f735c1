// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/TypoCorrection.h"
#include <algorithm>

namespace spl::sema {

// The edit distance costs the product of the lengths, and long names are rarely mistyped.
static constexpr size_t maxNameLength = 64;

// Two swapped letters, the most common typo, which edit_distance counts as two.
static bool isSwapped(llvm::StringRef a, llvm::StringRef b) {
  if (a.size() != b.size())
    return false;
  size_t at = 0;
  while (at + 2 < a.size() && a[at] == b[at])
    ++at;
  return a.substr(at + 2) == b.substr(at + 2) && a[at] == b[at + 1] && a[at + 1] == b[at];
}

TypoCorrection::TypoCorrection(llvm::StringRef written)
    : written(written), limit((written.size() + 1) / 3) {
  // A name of one letter is similar to every other one.
  if (written.size() > maxNameLength || written.size() < 2)
    limit = 0;
}

void TypoCorrection::consider(llvm::StringRef candidate) {
  size_t difference =
      std::max(candidate.size(), written.size()) - std::min(candidate.size(), written.size());
  if (limit == 0 || difference > limit)
    return;
  unsigned distance = candidate.equals_insensitive(written) ? 0
                      : isSwapped(candidate, written)
                          ? 1
                          : written.edit_distance(candidate, /*AllowReplacements=*/true, limit);
  if (distance > limit)
    return;
  found = candidate;
  limit =
      distance == 0 ? 0 : distance - 1; // only a better candidate replaces it; 0 ends the search
}

std::string didYouMean(llvm::StringRef name) {
  return name.empty() ? std::string() : "; did you mean '" + name.str() + "'?";
}

} // namespace spl::sema

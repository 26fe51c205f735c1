// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds the known name that a wrong name was probably meant to be. Compiler and runtime share it
/// so that both correct the same typos.
#ifndef SPL_ABI_TYPOCORRECTION_H
#define SPL_ABI_TYPOCORRECTION_H

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spl::abi {

/// Considers candidates one by one and keeps the best one. A candidate is accepted if at most a
/// third of the letters differ. Owns nothing: the name and the candidates must outlive it.
class TypoCorrection {
public:
  explicit TypoCorrection(std::string_view written)
      : written(written), limit((written.size() + 1) / 3) {
    // A name of one letter is similar to every other one.
    if (written.size() > maxNameLength || written.size() < 2)
      limit = 0;
  }

  void consider(std::string_view candidate) {
    const std::size_t difference =
        std::max(candidate.size(), written.size()) - std::min(candidate.size(), written.size());
    if (limit == 0 || difference > limit)
      return;
    const std::size_t edits = distanceTo(candidate);
    if (edits > limit)
      return;
    found = candidate;
    limit =
        edits == 0 ? 0 : edits - 1; // only a better candidate replaces this one; 0 ends the search
  }

  /// The best candidate, or empty if none is similar.
  std::string_view best() const { return found; }

private:
  /// Longer names are not corrected: the time of edits() grows with the product of the lengths.
  static constexpr std::size_t maxNameLength = 64;

  static char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

  /// Returns 0 for names that differ only in case, otherwise the number of edits.
  std::size_t distanceTo(std::string_view candidate) const {
    auto sameLetter = [](char a, char b) { return lower(a) == lower(b); };
    if (std::equal(candidate.begin(), candidate.end(), written.begin(), written.end(), sameLetter))
      return 0;
    return isSwapped(candidate, written) ? 1 : edits(candidate, written);
  }

  /// Whether the names differ only in two swapped letters. This is the most common typo, but
  /// edits() counts it as two edits.
  static bool isSwapped(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
      return false;
    std::size_t at = 0;
    while (at + 2 < a.size() && a[at] == b[at])
      ++at;
    return a.substr(at + 2) == b.substr(at + 2) && a[at] == b[at + 1] && a[at + 1] == b[at];
  }

  /// The number of letters to insert, remove or replace (Levenshtein distance).
  static std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
      row[j] = j;
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < b.size(); ++j) {
        const std::size_t replaced = diagonal + (a[i] != b[j]);
        diagonal = row[j + 1];
        row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
      }
    }
    return row.back();
  }

  std::string_view written;
  std::string_view found;
  std::size_t limit; ///< maximum edits of the next candidate
};

/// "; did you mean 'name'?", or empty for an empty name.
inline std::string didYouMean(std::string_view name) {
  return name.empty() ? std::string() : "; did you mean '" + std::string(name) + "'?";
}

} // namespace spl::abi

#endif

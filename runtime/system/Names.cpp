// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/system/Names.h"

#include <algorithm>
#include <numeric>

namespace spl::detail {

/// Names longer than this are compared and shown in part: both cost time and nobody reads them.
static constexpr std::size_t longest = 120;

static std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t substitution = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substitution});
    }
  }
  return row.back();
}

std::optional<std::string> nearestName(std::string_view name,
                                       const std::vector<std::string> &known) {
  name = name.substr(0, longest);
  std::optional<std::string> best;
  std::size_t bestDistance = (name.size() + 1) / 3 + 1; // a third of the letters may be wrong
  for (const std::string &candidate : known) {
    std::size_t distance = editDistance(name, std::string_view(candidate).substr(0, longest));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string joinNames(const std::vector<std::string> &names, std::string_view last) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0)
      result += i + 1 < names.size() ? std::string(", ") : " " + std::string(last) + " ";
    result += names[i];
  }
  return result;
}

std::string printable(std::string_view text) {
  std::string shown(text);
  if (text.size() > longest)
    shown = std::string(text.substr(0, longest / 2)) + "..." +
            std::string(text.substr(text.size() - longest / 2));
  static constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (unsigned char c : shown)
    if (c < 0x20 || c == 0x7f)
      result += {'\\', 'x', digits[c >> 4], digits[c & 15]};
    else
      result += static_cast<char>(c);
  return result;
}

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

} // namespace spl::detail

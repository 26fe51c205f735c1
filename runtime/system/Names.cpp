// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/system/Names.h"

#include "spl/abi/TypoCorrection.h"

namespace spl::detail {

/// The maximum length of a name that is shown in full.
static constexpr std::size_t maxShown = 120;

std::string didYouMean(std::string_view name, const std::vector<std::string> &known) {
  abi::TypoCorrection correction(name);
  for (const std::string &candidate : known)
    correction.consider(candidate);
  return abi::didYouMean(correction.best());
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
  if (text.size() > maxShown)
    shown = std::string(text.substr(0, maxShown / 2)) + "..." +
            std::string(text.substr(text.size() - maxShown / 2));
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

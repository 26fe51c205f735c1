// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the entry of a kernel is called: the compiler names it so, and who launches it finds it so.
/// Needs nothing but the standard library.
#ifndef SPL_ENTRY_NAME_H
#define SPL_ENTRY_NAME_H

#include <string>
#include <string_view>

namespace spl {

/// scale[f32, -16], an instance of a generic, is scale__f32_m16; any other name is its own.
inline std::string entryName(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == name.npos || name.back() != ']')
    return std::string(name);
  std::string entry = std::string(name.substr(0, bracket)) + "__";
  for (char c : name.substr(bracket + 1, name.size() - bracket - 2)) {
    const bool isWord =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (c != ' ')
      entry += isWord ? c : c == '-' ? 'm' : '_';
  }
  return entry;
}

} // namespace spl

#endif // SPL_ENTRY_NAME_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names that the compiler gives to what it emits and that the runtime looks up. Pure functions
/// and constants; several threads may use them at once.
#ifndef SPL_ABI_NAMES_H
#define SPL_ABI_NAMES_H

#include <string>
#include <string_view>

namespace spl::abi {

/// Ends the name of the entry without the checks that a launch contract makes needless.
inline constexpr std::string_view uncheckedSuffix = "$unchecked";

/// Begins the name of a kernel's entry in code for the CPU (cpu_abi.h).
inline constexpr std::string_view hostEntryPrefix = "spl_entry_";

/// Begins the name of the variable that holds a function of the runtime, in a bundle for the CPU
/// (CpuImports.def).
inline constexpr std::string_view importPrefix = "spl_import_";

/// SLEEF, which code for the CPU calls, as the dynamic linker knows it.
inline constexpr std::string_view hostMathLibrary = "libsleef.so.3";

/// Begins the line of PTX that holds a kernel's signature.
inline constexpr std::string_view signatureLine = "// spl.kernel ";

/// The entry of the kernel \p name: of an instance of a generic kernel, scale[f32, -16], it is
/// scale__f32_m16; any name without brackets is its own entry.
inline std::string entryName(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == name.npos || name.back() != ']')
    return std::string(name);
  std::string entry(name.substr(0, bracket));
  entry += "__";
  for (char c : name.substr(bracket + 1, name.size() - bracket - 2)) {
    const bool isWord =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (c != ' ')
      entry += isWord ? c : c == '-' ? 'm' : '_';
  }
  return entry;
}

} // namespace spl::abi

#endif

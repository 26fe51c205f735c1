// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names of symbols that the compiler emits and the runtime looks up. Pure functions and
/// constants, which several threads may use at once.
#ifndef SPL_ABI_NAMES_H
#define SPL_ABI_NAMES_H

#include "spl/abi/Contract.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace spl::abi {

/// The suffix of the entry of a kernel's version (Contract::Version): "", "$unchecked", "$unmet1".
inline std::string versionSuffix(std::size_t version) {
  if (version < Contract::FirstUnmet)
    return version == Contract::Checked ? "" : "$unchecked";
  return "$unmet" + std::to_string(version - Contract::FirstUnmet + 1);
}

/// The prefix of a kernel's entry in code for the CPU (cpu_abi.h).
inline constexpr std::string_view hostEntryPrefix = "spl_entry_";

/// The prefix of a variable that holds the address of a runtime function, in a bundle for the CPU
/// (CpuImports.def).
inline constexpr std::string_view importPrefix = "spl_import_";

/// Begins the name of a target that is a level of CpuLevels.def.
inline constexpr std::string_view hostLevelPrefix = "cpu:";

/// A byte that an object file for the CPU defines if its kernels test whether their launch may go
/// on (cpu_abi.h).
inline constexpr const char *interruptibleMark = "spl_interruptible";

/// The file name of SLEEF's shared library, whose functions code for the CPU calls.
inline constexpr std::string_view hostMathLibrary = "libsleef.so.3";

/// The prefix of the line of PTX that holds a kernel's signature.
inline constexpr std::string_view signatureLine = "// spl.kernel ";

/// The prefix of the line of PTX behind which the entry with this name is, and what only that entry
/// uses, up to the next such line or the end. The text before the first such line is a module
/// without these entries. A part behind such a line is a module too if the lines from ".version" to
/// ".address_size" are in front of it.
inline constexpr std::string_view laterLine = "// spl.later ";

/// The symbol of the kernel \p name. The symbol of an instance of a generic kernel, such as
/// scale[f32, -16], is scale__f32_m16. A name without brackets is returned unchanged.
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

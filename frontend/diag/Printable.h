// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text from files, names of files and the like, as a terminal may show it.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace spl::diag {

/// Replaces control characters, and bytes that are no UTF-8, by escapes such as \x1b. A terminal
/// would obey the former. Those in \p kept stay.
std::string printable(llvm::StringRef text, llvm::StringRef kept = "\n\t");

/// Removes and returns the first character of the text, or the first byte if the text is not valid
/// UTF-8.
llvm::StringRef takeCharacter(llvm::StringRef &text);

} // namespace spl::diag

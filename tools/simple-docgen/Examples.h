// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, for each diagnostic, a line of source that the tests show it on.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace spl::docgen {

/// By the diagnostic's name: the first line, by path and place, that a test in the folder expects
/// it at, as in '# CHECK: file.spl:[[#@LINE-1]]:5: error: text [name]'. Files that cannot be read
/// have none.
std::map<std::string, std::string> findExamples(llvm::StringRef folder);

} // namespace spl::docgen

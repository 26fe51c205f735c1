// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of a checked launch as text with lines of the source, and as JSON.
#pragma once

#include <spl/Finding.h>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace spl::cli {

/// Both print at most maxFindings findings, and then how many more there are.
constexpr std::size_t maxFindings = 100;

void printFindings(const std::vector<Finding> &findings, llvm::raw_ostream &os);
/// One object a line. That of the number of other findings has the severity "note" and a "count".
void printFindingsJson(const std::vector<Finding> &findings, llvm::raw_ostream &os);

} // namespace spl::cli

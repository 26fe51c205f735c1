// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of checked launches as text with lines of the source, and as JSON.
#pragma once

#include <cstddef>
#include <spl/Finding.h>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace spl::cli {

/// A finding of one or more launches.
struct LaunchFinding {
  Finding finding;          ///< the one that is shown, with the count of all launches
  std::size_t launches = 1; ///< that have it
  std::string firstLaunch;  ///< its name; empty if there is only one launch
};

struct LaunchCounts {
  std::size_t all = 1, withFindings = 1;
};

/// Both print at most maxFindings findings, and then how many more there are.
constexpr std::size_t maxFindings = 100;

/// If there are several launches, the last line says how many of them have findings.
void printFindings(const std::vector<LaunchFinding> &findings, const LaunchCounts &counts,
                   llvm::raw_ostream &os);
/// One object a line. That of the number of other findings has the severity "note" and a "count".
void printFindingsJson(const std::vector<LaunchFinding> &findings, llvm::raw_ostream &os);

/// Prints on standard error, in the format of --diagnostics (Reporting.h).
void reportFindings(const std::vector<LaunchFinding> &findings, const LaunchCounts &counts);

} // namespace spl::cli

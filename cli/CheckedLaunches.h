// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of one `simple check`, and what they find. A launch with findings does not end the
// command. What occurs at the same lines in several launches is one finding, which shows the first
// occurrence; of a race, the first of those with the largest scope.
#pragma once

#include "cli/Findings.h"
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spl::cli {

class CheckedLaunches {
public:
  /// Makes one launch and adds its findings. Other errors are thrown on. Returns whether it found
  /// nothing. The name tells it from the others; it is empty for the only one.
  bool run(const std::string &name, const std::function<void()> &launch);

  bool hasFindings() const { return !findings.empty(); }
  void report() const { reportFindings(findings, {launches, launchesWithFindings}); }

private:
  void add(const Finding &finding, const std::string &launch);

  /// The name of a finding, what it is about, and its places in the order of the source.
  using Key = std::pair<std::string, std::vector<std::pair<std::string, std::int32_t>>>;

  std::vector<LaunchFinding> findings;
  std::map<Key, std::size_t> known; ///< the index in findings
  std::size_t launches = 0, launchesWithFindings = 0;
};

} // namespace spl::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CheckedLaunches.h"
#include <algorithm>
#include <spl/Error.h>

namespace spl::cli {

bool CheckedLaunches::run(const std::string &name, const std::function<void()> &launch) {
  ++launches;
  try {
    launch();
    return true;
  } catch (const Error &error) {
    if (error.findings().empty())
      throw;
    ++launchesWithFindings;
    for (const Finding &finding : error.findings())
      add(finding, name);
    return false;
  }
}

void CheckedLaunches::add(const Finding &finding, const std::string &launch) {
  Key key{finding.name + " " + finding.element.substr(0, finding.element.find('[')), {}};
  for (const FindingPlace &place : finding.places)
    key.second.emplace_back(place.file, place.line);
  if (finding.kind == FindingKind::Fault) // each check of a line is a finding
    key.second.emplace_back("", finding.places.front().column);
  std::ranges::sort(key.second);
  const auto [found, isNew] = known.try_emplace(std::move(key), findings.size());
  if (isNew) {
    findings.push_back({.finding = finding, .launches = 1, .firstLaunch = launch});
    return;
  }
  LaunchFinding &same = findings[found->second];
  const std::uint64_t count = same.finding.count + finding.count;
  if (finding.scope > same.finding.scope)
    same.finding = finding;
  same.finding.count = count;
  ++same.launches;
}

} // namespace spl::cli

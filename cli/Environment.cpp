// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Environment.h"
#include "cli/Reporting.h"
#include "runtime/system/Names.h"
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace spl::cli {
namespace {

constexpr std::string_view known[] = {
#define VARIABLE(Name) Name,
#define TEST_VARIABLE(Name) Name,
#include "runtime/config/Environment.def"
};

/// The variables that hints may suggest.
std::vector<std::string> namesForUsers() {
  return {
#define VARIABLE(Name) Name,
#include "runtime/config/Environment.def"
  };
}

} // namespace

void warnOfUnknownVariables() {
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with("SPL_") || std::ranges::find(known, name) != std::end(known))
      continue;
    const std::vector<std::string> names = namesForUsers();
    const std::string correction = detail::didYouMean(name, names);
    reportWarning("the environment variable " + detail::quoted(name) + " is unknown" +
                  (correction.empty() ? "; there are " + detail::joinNames(names) : correction));
  }
}

} // namespace spl::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variables of the runtime. Environment.def lists them.
#ifndef SPL_RUNTIME_CONFIG_ENVIRONMENT_H
#define SPL_RUNTIME_CONFIG_ENVIRONMENT_H

#include <cstdlib>
#include <optional>
#include <string_view>

namespace spl::detail {

/// Returns the value of \p variable, or nothing if it is unset or empty.
inline std::optional<std::string_view> fromEnvironment(const char *variable) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return std::nullopt;
  return text;
}

} // namespace spl::detail

#endif

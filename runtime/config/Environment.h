// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the environment asks for.
#ifndef SPL_RUNTIME_CONFIG_ENVIRONMENT_H
#define SPL_RUNTIME_CONFIG_ENVIRONMENT_H

#include <cstdlib>
#include <optional>
#include <string_view>

namespace spl::detail {

/// The value of \p variable; nothing where it is unset or empty, as scripts unset one.
inline std::optional<std::string_view> fromEnvironment(const char *variable) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return std::nullopt;
  return text;
}

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary changes of environment variables.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace spl::test {

/// Sets an environment variable while the object lives, or unsets it if there is no value.
class Environment {
public:
  Environment(const char *name, const std::optional<std::string> &value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    set(value);
  }
  ~Environment() { set(before); }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

private:
  void set(const std::optional<std::string> &value) {
    value ? setenv(name, value->c_str(), /*overwrite=*/1) : unsetenv(name);
  }

  const char *name;
  std::optional<std::string> before;
};

} // namespace spl::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment's variables, changed for a while.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace spl::test {

/// Sets a variable of the environment as long as it lives; without a value takes it away.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment's variables, changed for a while.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace spl::test {

/// Sets a variable of the environment, or unsets it, as long as it lives.
class Environment {
public:
  Environment(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    set(value);
  }
  ~Environment() { set(before ? before->c_str() : nullptr); }

private:
  void set(const char *value) {
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  const char *name;
  std::optional<std::string> before;
};

} // namespace spl::test

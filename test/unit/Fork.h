// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes of tests, made by fork.
#pragma once

#include <functional>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spl::test {

/// The exit status of a child process that returns the result of \p body. Returns -1 if a signal
/// ends the child. An alarm ends a child that hangs.
inline int statusOfChild(const std::function<int()> &body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

/// Whether \p check returns true in a child process made by fork.
inline bool holdsInChild(const std::function<bool()> &check) {
  return statusOfChild([&] { return check() ? 0 : 1; }) == 0;
}

} // namespace spl::test

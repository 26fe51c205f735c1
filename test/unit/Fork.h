// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children made by fork, in tests.
#pragma once

#include <functional>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spl::test {

/// The status that a child made by fork exits with, which \p body returns; -1 if it ends otherwise.
/// A child that hangs is ended by the alarm.
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

/// Whether \p check holds in a child made by fork.
inline bool holdsInChild(const std::function<bool()> &check) {
  return statusOfChild([&] { return check() ? 0 : 1; }) == 0;
}

} // namespace spl::test

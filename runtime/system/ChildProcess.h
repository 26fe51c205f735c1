// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function in a child process made by fork without exec. Everything that the function
// initialises ends with the child.
#ifndef SPL_RUNTIME_SYSTEM_CHILDPROCESS_H
#define SPL_RUNTIME_SYSTEM_CHILDPROCESS_H

#include <chrono>
#include <functional>
#include <string>

namespace spl::detail {

struct ChildAnswer {
  std::string bytes;
  std::string problem; ///< why there is no result; empty if there is one
};

/// Runs \p question in a child process and returns its result. If the child crashes, throws or does
/// not end within \p limit, kills the child and returns a problem.
///
/// - The child has only the calling thread, so a lock that another thread held stays locked. \p
///   question may use malloc, because fork keeps malloc usable, but no locks of this library.
/// - All signals are blocked in the child, and it ends with this process.
/// - A SIGCHLD handler of the program is called when the child ends, and may wait for the child.
ChildAnswer askChild(const std::function<std::string()> &question, std::chrono::milliseconds limit);

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function in a child process, made by fork without exec, so that everything that it
// initialises ends with that process.
#ifndef SPL_RUNTIME_SYSTEM_CHILDPROCESS_H
#define SPL_RUNTIME_SYSTEM_CHILDPROCESS_H

#include <chrono>
#include <functional>
#include <string>

namespace spl::detail {

struct ChildAnswer {
  std::string bytes;
  std::string problem; ///< why there is no answer; empty if there is one
};

/// Runs \p question in a child process and returns its result. If the child crashes, throws or does
/// not end within \p limit, the result is a problem, and the child is killed.
///
/// - The child has only the calling thread, so a lock that another thread held stays locked.
///   \p question may use malloc, which fork takes care of, but no locks of this library.
/// - All signals are blocked in the child, and it ends with this process.
/// - A SIGCHLD handler of the program sees the child end, and may wait for it.
ChildAnswer askChild(const std::function<std::string()> &question, std::chrono::milliseconds limit);

} // namespace spl::detail

#endif

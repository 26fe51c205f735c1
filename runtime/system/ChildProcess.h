// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A question that is answered in a child process of its own, made by fork without exec, so that
// whatever it initialises ends with that process.
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

/// Runs \p question in a child and brings back what it returns. Never throws for what becomes of
/// the child: one that crashes, throws, or has not ended within \p limit is a problem that says so,
/// and is ended.
///
/// Of the threads of this process the child has only the caller's, so a lock that another holds
/// stays held there: \p question may use malloc, which fork takes care of, but no locks of this
/// library. All signals are blocked in it, and it ends with this process. A program's own handler
/// of SIGCHLD sees the child end, and may wait for it.
ChildAnswer askChild(const std::function<std::string()> &question, std::chrono::milliseconds limit);

} // namespace spl::detail

#endif

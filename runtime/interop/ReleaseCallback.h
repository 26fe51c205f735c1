// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception The callback that tells the owner of
// borrowed memory or of a wrapped stream that the runtime no longer uses it.
#ifndef SPL_RUNTIME_INTEROP_RELEASECALLBACK_H
#define SPL_RUNTIME_INTEROP_RELEASECALLBACK_H

#include "runtime/system/ForkGuard.h"

#include <functional>
#include <utility>

namespace spl::detail {

/// The destructor calls the owner's function, if there is one. In a child process made by fork it
/// does not, because the child has borrowed nothing.
class ReleaseCallback {
public:
  explicit ReleaseCallback(std::function<void()> function = {}) : function(std::move(function)) {}
  ~ReleaseCallback() {
    if (!function || !guard.inMakingProcess())
      return;
    try {
      function();
    } catch (...) { // a destructor must not throw
    }
  }
  ReleaseCallback(const ReleaseCallback &) = delete;
  ReleaseCallback &operator=(const ReleaseCallback &) = delete;

private:
  const std::function<void()> function;
  const ForkGuard guard;
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the owner of borrowed memory, or of a wrapped stream, that the runtime has finished with
// it.
#ifndef SPL_RUNTIME_INTEROP_RELEASECALLBACK_H
#define SPL_RUNTIME_INTEROP_RELEASECALLBACK_H

#include "runtime/system/ForkGuard.h"

#include <functional>
#include <utility>

namespace spl::detail {

/// Calls the owner's function, if there is one, when it is destroyed. Does not call it in a child
/// made by fork, which has borrowed nothing.
class ReleaseCallback {
public:
  explicit ReleaseCallback(std::function<void()> function = {}) : function(std::move(function)) {}
  ~ReleaseCallback() {
    if (!function || !guard.inMakingProcess())
      return;
    try {
      function();
    } catch (...) { // a destructor cannot tell what the owner throws
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

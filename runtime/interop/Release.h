// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tells the owner of a borrowed thing that it is of no more use here.
#ifndef SPL_RUNTIME_INTEROP_RELEASE_H
#define SPL_RUNTIME_INTEROP_RELEASE_H

#include "runtime/system/ForkGuard.h"

#include <functional>
#include <utility>

namespace spl::detail {

/// Calls the owner's function, if there is one, when it ends; not in a child made by fork, which
/// has borrowed nothing.
class Release {
public:
  explicit Release(std::function<void()> function = {}) : function(std::move(function)) {}
  ~Release() {
    if (!function || !guard.inMakingProcess())
      return;
    try {
      function();
    } catch (...) { // a destructor cannot tell what the owner throws
    }
  }
  Release(const Release &) = delete;
  Release &operator=(const Release &) = delete;

private:
  const std::function<void()> function;
  const ForkGuard guard;
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with its own stack. It can suspend and resume. Each work-item is a fiber, so that it
// is interpreted by ordinary recursion and can wait at a collective.
#pragma once

#include <functional>
#include <memory>

namespace spl::reference {

class Fiber {
public:
  explicit Fiber(std::function<void()> body);
  /// Unwinds a body that has started and not ended.
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Runs the body until it suspends or ends.
  void resume();
  /// Suspends the running fiber. Throws Cancelled if the fiber is destroyed while suspended.
  void suspend();
  bool isDone() const;

  struct Cancelled {};

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace spl::reference

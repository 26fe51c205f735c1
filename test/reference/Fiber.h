// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with a stack of its own that can stop in the middle and go on later. Work-items are
// fibers, so that each is interpreted by ordinary recursion and waits where it meets others.
#pragma once

#include <functional>
#include <memory>

namespace spl::reference {

class Fiber {
public:
  explicit Fiber(std::function<void()> body);
  /// Unwinds what has begun and not ended.
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Runs the body until it suspends or ends.
  void resume();
  /// Stops the fiber that runs. Throws Cancelled when it is destroyed meanwhile.
  void suspend();
  bool isDone() const;

  struct Cancelled {};

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace spl::reference

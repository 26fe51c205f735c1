// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the host that the driver calls from its own threads, and what they throw: the driver
// cannot let an exception through. Who owns them sees to it that they have run, or never will,
// before they end. What they hold may need the driver at its end, which those threads must not
// call, so functions that have run stay until their owner ends them.
#ifndef SPL_RUNTIME_CUDA_HOSTCALLS_H
#define SPL_RUNTIME_CUDA_HOSTCALLS_H

#include "runtime/core/Outcome.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace spl::detail {

class HostCalls {
public:
  /// What the driver is given: run(data) calls the function.
  struct Call {
    std::function<void()> function;
    HostCalls *owner;
    bool isRepeated; ///< stays when it has run, as a graph runs it again
    /// Among the calls of the owner, from 1; of a repeated one which of its runs is the last.
    std::uint64_t number;
    std::list<Call>::iterator self;
  };

  Call *add(std::function<void()> function, bool isRepeated = false) {
    std::lock_guard lock(mutex);
    calls.push_front({std::move(function), this, isRepeated, isRepeated ? 0 : ++given, {}});
    calls.front().self = calls.begin();
    return &calls.front();
  }

  /// For a call that the driver did not take.
  void remove(Call *call) {
    call->function = nullptr; // what it holds ends without the lock
    std::lock_guard lock(mutex);
    calls.erase(call->self);
  }

  /// The driver's view of a call: its data is the Call.
  static void run(void *data) {
    auto &call = *static_cast<Call *>(data);
    HostCalls &owner = *call.owner;
    std::exception_ptr thrown;
    if (call.isRepeated) // the driver runs a graph once at a time
      ++call.number;
    try {
      call.function();
    } catch (...) {
      thrown = std::current_exception();
    }
    if (thrown)
      owner.outcome->fail(std::move(thrown), call.number);
    if (call.isRepeated)
      return;
    std::lock_guard lock(owner.mutex);
    owner.over.splice(owner.over.begin(), owner.calls, call.self);
  }

  /// Ends the functions that have run.
  void endOver() {
    std::list<Call> ended; // after the lock
    std::lock_guard lock(mutex);
    ended.swap(over);
  }

  bool isEmpty() const {
    std::lock_guard lock(mutex);
    return calls.empty();
  }

  /// All of them were given to the driver once more, as a graph.
  void repeat() {
    std::lock_guard lock(mutex);
    ++given;
  }

  /// How many calls, or runs of a graph, were ever given.
  std::uint64_t count() const {
    std::lock_guard lock(mutex);
    return given;
  }

  /// What they threw, by their numbers.
  const std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();

private:
  mutable std::mutex mutex;
  std::list<Call> calls, over;
  std::uint64_t given = 0;
};

} // namespace spl::detail

#endif

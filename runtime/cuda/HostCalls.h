// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the host that the driver calls from its own threads, and what they throw: the driver
// cannot let an exception through. Who owns them sees to it that they have run, or never will,
// before they end.
#ifndef SPL_RUNTIME_CUDA_HOSTCALLS_H
#define SPL_RUNTIME_CUDA_HOSTCALLS_H

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <list>
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
    std::uint64_t number; ///< among the calls of the owner, from 1
    std::list<Call>::iterator self;
  };

  Call *add(std::function<void()> function, bool isRepeated = false) {
    std::lock_guard lock(mutex);
    calls.push_front({std::move(function), this, isRepeated, ++added, {}});
    calls.front().self = calls.begin();
    return &calls.front();
  }

  /// For a call that the driver did not take.
  void remove(Call *call) {
    std::lock_guard lock(mutex);
    calls.erase(call->self);
  }

  /// The driver's view of a call: its data is the Call.
  static void run(void *data) {
    auto &call = *static_cast<Call *>(data);
    HostCalls &owner = *call.owner;
    std::exception_ptr thrown;
    try {
      call.function();
    } catch (...) {
      thrown = std::current_exception();
    }
    std::lock_guard lock(owner.mutex);
    if (thrown && !owner.failure) {
      owner.failure = std::move(thrown);
      owner.failed = call.number;
    }
    if (!call.isRepeated)
      owner.calls.erase(call.self);
  }

  bool isEmpty() const {
    std::lock_guard lock(mutex);
    return calls.empty();
  }

  /// How many were ever added.
  std::uint64_t count() const {
    std::lock_guard lock(mutex);
    return added;
  }

  /// Throws what the first call threw of which nobody was told, if it is one of the first \p among.
  void rethrow(std::uint64_t among = std::numeric_limits<std::uint64_t>::max()) {
    std::exception_ptr thrown;
    {
      std::lock_guard lock(mutex);
      if (failed <= among)
        thrown = std::exchange(failure, nullptr);
    }
    if (thrown)
      std::rethrow_exception(thrown);
  }

private:
  mutable std::mutex mutex;
  std::list<Call> calls;
  std::uint64_t added = 0;
  std::exception_ptr failure;
  std::uint64_t failed = 0; ///< the number of the call that threw it
};

} // namespace spl::detail

#endif

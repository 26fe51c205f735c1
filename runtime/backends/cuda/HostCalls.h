// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that the driver calls from its own threads, and their asynchronous errors. The
// driver can neither pass an exception on nor skip a function behind one that failed.
//
// The owner ensures that a function has run, or never will, before it destroys it. A function may
// hold objects that need the driver in their destructors, and the driver's threads must not call
// the driver; so functions that have run are kept until the owner destroys them.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_HOSTCALLS_H
#define SPL_RUNTIME_BACKENDS_CUDA_HOSTCALLS_H

#include "runtime/stream/AsyncErrors.h"

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <utility>

namespace spl::detail {

/// The host functions of one stream, each called once, or of one graph, which calls all of them in
/// each run.
class HostCalls {
public:
  /// The data of the driver's callback: run(data) calls the function.
  struct Call {
    std::function<void()> function;
    HostCalls *owner;
    WorkPlace place; ///< of a stream's function; functions of a graph have the place of the run
    std::list<Call>::iterator self;
  };

  /// Adds a function of a stream, or without a \p place of a graph.
  Call *add(std::function<void()> function, WorkPlace place = {}) {
    std::lock_guard lock(mutex);
    calls.push_front({std::move(function), this, std::move(place), {}});
    calls.front().self = calls.begin();
    return &calls.front();
  }

  /// Removes a call that the driver refused.
  void remove(Call *call) {
    call->function = nullptr; // what it holds ends without the lock
    std::lock_guard lock(mutex);
    calls.erase(call->self);
  }

  /// The driver's callback. \p data is the Call.
  static void run(void *data) {
    auto &call = *static_cast<Call *>(data);
    HostCalls &owner = *call.owner;
    if (call.place.scope) {
      StreamErrors::run(call.place, call.function);
      std::lock_guard lock(owner.mutex);
      owner.over.splice(owner.over.begin(), owner.calls, call.self);
      return;
    }
    const WorkPlace place = owner.currentRun();
    StreamErrors::runPart(place, call.function);
    owner.endPart();
  }

  /// Notes one more run of a graph's functions, as one operation. The driver runs a graph once at a
  /// time, in the order of these calls.
  void beginRun(WorkPlace place) {
    std::lock_guard lock(mutex);
    runs.push_back({std::move(place), calls.size()});
  }
  /// Removes the last run, which the driver refused.
  void cancelRun() {
    std::lock_guard lock(mutex);
    StreamErrors::finish(runs.back().place);
    runs.pop_back();
  }

  /// Destroys the functions of a stream that have run.
  void endOver() {
    std::list<Call> ended; // after the lock
    std::lock_guard lock(mutex);
    ended.swap(over);
  }

  bool isEmpty() const {
    std::lock_guard lock(mutex);
    return calls.empty();
  }

  /// Whether the driver may still call one of a graph's functions.
  bool isRunning() const {
    std::lock_guard lock(mutex);
    return !runs.empty();
  }

private:
  struct Run {
    WorkPlace place;
    std::size_t left; ///< functions that have not been called
  };

  WorkPlace currentRun() const {
    std::lock_guard lock(mutex);
    return runs.front().place;
  }

  void endPart() {
    WorkPlace ended; // after the lock
    std::lock_guard lock(mutex);
    if (--runs.front().left > 0)
      return;
    ended = std::move(runs.front().place);
    StreamErrors::finish(ended);
    runs.pop_front();
  }

  mutable std::mutex mutex;
  std::list<Call> calls, over;
  std::deque<Run> runs;
};

} // namespace spl::detail

#endif

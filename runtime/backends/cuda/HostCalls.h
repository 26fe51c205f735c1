// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the host that the driver calls from its own threads, and what becomes of them: the
// driver cannot let an exception through, nor pass over a function behind one that failed. Who owns
// them sees to it that they have run, or never will, before they end. What they hold may need the
// driver at its end, which those threads must not call, so functions that have run stay until their
// owner ends them.
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

/// Those of one stream, each of which is called once, or of one graph, which calls all of them in
/// each of its runs.
class HostCalls {
public:
  /// What the driver is given: run(data) calls the function.
  struct Call {
    std::function<void()> function;
    HostCalls *owner;
    WorkPlace place; ///< of a stream's; a graph's have that of the run
    std::list<Call>::iterator self;
  };

  /// Without a \p place a graph's.
  Call *add(std::function<void()> function, WorkPlace place = {}) {
    std::lock_guard lock(mutex);
    calls.push_front({std::move(function), this, std::move(place), {}});
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

  /// The functions of a graph run once more, as one operation. The driver runs a graph once at a
  /// time, in the order of these calls.
  void beginRun(WorkPlace place) {
    std::lock_guard lock(mutex);
    runs.push_back({std::move(place), calls.size()});
  }
  /// The driver did not take the last run.
  void cancelRun() {
    std::lock_guard lock(mutex);
    StreamErrors::finish(runs.back().place);
    runs.pop_back();
  }

  /// Ends the functions of a stream that have run.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that the driver calls from its own threads, and their asynchronous errors. The
// driver can neither propagate an exception nor skip a function that follows a failed one.
//
// The owner may destroy a function only if it has run or will never run. Functions that have run
// are kept until the owner destroys them: their objects may call the driver in destructors, and the
// driver's threads must not call the driver.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_HOSTCALLS_H
#define SPL_RUNTIME_BACKENDS_CUDA_HOSTCALLS_H

#include "runtime/backends/cuda/FaultRecords.h"
#include "runtime/stream/AsyncErrors.h"

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <utility>

namespace spl::detail {

/// The host functions of one stream or of one graph. A function of a stream is called once. A graph
/// calls all of its functions in each run.
class HostCalls {
public:
  /// \p faults are those of the context. A fault skips later functions.
  explicit HostCalls(std::shared_ptr<FaultRecords> faults) : faults(std::move(faults)) {}

  /// The data of the driver's callback. run(data) calls the function.
  struct Call {
    std::function<void()> function;
    HostCalls *owner;
    /// The place of a stream's function. Empty for a function of a graph, because each run of the
    /// graph has a place of its own.
    WorkPlace place;
    std::list<Call>::iterator self;
  };

  /// Adds a function. \p place is its place in a stream, or empty for a function of a graph.
  Call *add(std::function<void()> function, WorkPlace place = {}) {
    std::lock_guard lock(mutex);
    calls.push_front({std::move(function), this, std::move(place), {}});
    calls.front().self = calls.begin();
    return &calls.front();
  }

  /// Removes a call that the driver refused.
  void remove(Call *call) {
    call->function = nullptr; // destroys the function before the mutex is locked
    std::lock_guard lock(mutex);
    calls.erase(call->self);
  }

  /// The driver's callback. \p data is the Call.
  static void run(void *data) {
    auto &call = *static_cast<Call *>(data);
    HostCalls &owner = *call.owner;
    owner.faults->readRecords();
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

  /// Adds a run of a graph's functions. The run is one operation. The driver runs a graph once at a
  /// time, in the order of these calls.
  void beginRun(WorkPlace place) {
    std::lock_guard lock(mutex);
    runs.push_back({std::move(place), calls.size()});
  }
  /// Removes the latest run, which the driver refused.
  void cancelRun() {
    std::lock_guard lock(mutex);
    StreamErrors::finish(runs.back().place);
    runs.pop_back();
  }

  /// Destroys the functions of a stream that have run already.
  void endOver() {
    std::list<Call> ended; // destroyed after the lock is released
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
    std::size_t left; ///< the number of functions that have not been called
  };

  WorkPlace currentRun() const {
    std::lock_guard lock(mutex);
    return runs.front().place;
  }

  void endPart() {
    WorkPlace ended; // destroyed after the lock is released
    std::lock_guard lock(mutex);
    if (--runs.front().left > 0)
      return;
    ended = std::move(runs.front().place);
    StreamErrors::finish(ended);
    runs.pop_front();
  }

  const std::shared_ptr<FaultRecords> faults;
  mutable std::mutex mutex;
  std::list<Call> calls, over;
  std::deque<Run> runs;
};

} // namespace spl::detail

#endif

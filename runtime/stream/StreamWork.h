// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of one stream, for those who wait for it. Arrays that a stream uses hold its StreamWork
// and not the stream, so that the stream ends when its last owner drops it. The StreamWork outlives
// the stream; once the stream has ended and its work is done, little more than the errors is left.
#ifndef SPL_RUNTIME_STREAM_STREAMWORK_H
#define SPL_RUNTIME_STREAM_STREAMWORK_H

#include "runtime/stream/AsyncErrors.h"

#include <atomic>
#include <memory>
#include <shared_mutex>

namespace spl::detail {

class StreamWork {
public:
  virtual ~StreamWork() = default;

  /// Waits for the work enqueued so far. Throws if the wait itself fails; leaves the asynchronous
  /// errors of the work untaken.
  virtual void wait() = 0;

  /// For the end of memory: waits for the work that uses the memory without holding it. Returns
  /// false if that fails and the work may still use the memory.
  virtual bool finish() noexcept = 0;

  /// Whether the stream has ended and its work is done.
  virtual bool isOver() const noexcept = 0;

  /// Waits, and throws the asynchronous errors of the work.
  void sync() {
    const WorkPlace end = errors->now();
    wait();
    TakenErrors taken;
    taken.take(end);
    taken.rethrow();
  }

  const std::shared_ptr<StreamErrors> errors = std::make_shared<StreamErrors>();

  /// Whether the stream is being captured. May be called from any thread: waits for memory and for
  /// contexts ask it.
  bool isCapturing() const { return isRecording.load(std::memory_order_acquire); }
  /// While the lock lives, no capture of the stream begins or ends.
  std::shared_lock<std::shared_mutex> keepCapturing() const {
    return std::shared_lock(captureChange);
  }

private:
  friend class Capture;

  std::atomic<bool> isRecording{false};
  mutable std::shared_mutex captureChange; ///< held while a capture begins or ends
};

} // namespace spl::detail

#endif

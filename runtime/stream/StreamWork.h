// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of one stream, through which others wait for it. Arrays that a stream uses refer to its
// StreamWork and not to the stream, so that they do not keep the stream open. The StreamWork
// outlives the stream. When the stream is destroyed and its work is done, the StreamWork holds
// little more than the errors.
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

  /// Waits for the work enqueued so far. Throws if the wait itself fails. Does not take the
  /// asynchronous errors of the work.
  virtual void wait() = 0;

  /// Called when memory is freed: waits for work that uses memory without owning it. Returns false
  /// if the wait fails; then the work may still use the memory.
  virtual bool finish() noexcept = 0;

  /// Whether the stream is destroyed and its work is done.
  virtual bool isOver() const noexcept = 0;

  /// Waits for the work enqueued so far, and throws its asynchronous errors.
  void sync() {
    const WorkPlace end = errors->now();
    wait();
    TakenErrors taken;
    taken.take(end);
    taken.rethrow();
  }

  const std::shared_ptr<StreamErrors> errors = std::make_shared<StreamErrors>();

  /// Whether the stream is being captured. Any thread may call it, because waits for memory and for
  /// contexts need it.
  bool isCapturing() const { return isRecording.load(std::memory_order_acquire); }
  /// Returns a lock. While it is held, no capture of the stream begins or ends.
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

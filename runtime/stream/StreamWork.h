// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work that a stream has been given, for those who wait for it: the arrays that it uses hold
// this and not the stream, so that a stream ends when its last owner lets it go. A stream has one,
// which outlives it; when the stream has ended and its work is done, what the work cost is given
// back and little more than the outcome is left.
#ifndef SPL_RUNTIME_STREAM_STREAMWORK_H
#define SPL_RUNTIME_STREAM_STREAMWORK_H

#include "runtime/stream/Outcome.h"

#include <atomic>
#include <memory>
#include <shared_mutex>

namespace spl::detail {

class StreamWork {
public:
  virtual ~StreamWork() = default;

  /// Waits for what it has been given so far. Throws what the waiting itself meets, and leaves
  /// what the work left as an error.
  virtual void wait() = 0;

  /// For the end of memory: waits for the work that uses it without holding it. False if that fails
  /// and the work may still use the memory.
  virtual bool finish() noexcept = 0;

  /// Whether the stream has ended and its work is done.
  virtual bool isOver() const noexcept = 0;

  /// Waits, and throws what the work left as an error.
  void sync() {
    const WorkPlace end = outcome->now();
    wait();
    Failures failures;
    failures.take(end);
    failures.rethrow();
  }

  const std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();

  /// Whether the stream is being captured. From any thread, as who waits for memory or for a
  /// context asks it.
  bool isCapturing() const { return isRecording.load(std::memory_order_acquire); }
  /// As long as it lives, the stream neither begins nor ends to be captured.
  std::shared_lock<std::shared_mutex> keepCapturing() const {
    return std::shared_lock(captureChange);
  }

private:
  friend class BackendStream;

  std::atomic<bool> isRecording{false};
  mutable std::shared_mutex captureChange; ///< who waits meanwhile must not wait for a capture
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/Capture.h"

#include "runtime/backends/BackendStream.h"
#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>
#include <mutex>

namespace spl::detail {

/// Keeps other threads from beginning to wait for a stream of the capture. The graph must not be
/// destroyed while this object exists, because freeing its memory may wait for these streams.
class Capture::EndLock {
public:
  explicit EndLock(const Capture &capture) : capture(capture) {
    capture.origin.work->captureChange.lock();
    for (const std::shared_ptr<BackendStream> &stream : capture.joined)
      stream->work->captureChange.lock();
  }
  ~EndLock() {
    for (const std::shared_ptr<BackendStream> &stream : capture.joined)
      stream->work->captureChange.unlock();
    capture.origin.work->captureChange.unlock();
  }
  EndLock(const EndLock &) = delete;
  EndLock &operator=(const EndLock &) = delete;

private:
  const Capture &capture;
};

Capture::Capture(BackendStream &origin) : origin(origin) {}
Capture::~Capture() = default;

/// Marks \p stream as captured. The caller holds the stream's captureChange.
void Capture::add(BackendStream &stream) {
  stream.capture = shared_from_this();
  stream.work->isRecording.store(true, std::memory_order_release);
}

void Capture::begin(const std::function<std::unique_ptr<BackendGraph>()> &start) {
  std::unique_lock change(origin.work->captureChange);
  recorded = start();
  add(origin);
}

void Capture::join(std::shared_ptr<BackendStream> stream, const std::function<void()> &wait) {
  std::unique_lock change(stream->work->captureChange);
  wait();
  joined.push_back(stream);
  add(*stream);
}

void Capture::noteWait(const BackendStream &stream, const CaptureClock &before) {
  CaptureClock &clock = clocks[&stream];
  for (const auto &[other, count] : before)
    clock[other] = std::max(clock[other], count);
}

void Capture::removeStreams() noexcept {
  auto remove = [](BackendStream &stream) {
    stream.work->isRecording.store(false, std::memory_order_release);
    stream.capture.reset();
  };
  for (const std::shared_ptr<BackendStream> &stream : joined)
    remove(*stream);
  remove(origin);
}

/// Whether the origin has waited for all work that was recorded.
bool Capture::isWhole() {
  const CaptureClock &own = clocks[&origin];
  return std::all_of(clocks.begin(), clocks.end(), [&](const auto &each) {
    const auto &[stream, clock] = each;
    const auto work = clock.find(stream);
    if (work == clock.end())
      return true;
    const auto known = own.find(stream);
    return known != own.end() && known->second >= work->second;
  });
}

std::unique_ptr<BackendGraph> Capture::end(const std::function<void(BackendGraph &)> &finish) {
  std::unique_ptr<BackendGraph> graph = std::move(recorded); // destroyed after the lock is released
  const EndLock lock(*this);
  removeStreams();
  if (!isWhole()) {
    try {
      finish(*graph);
    } catch (const Error &) { // the backend reports the same error
    }
    refuse("capture: a stream that took part was not waited for again",
           "record an event after its work and wait for it in the stream that is captured");
  }
  finish(*graph);
  return graph;
}

void Capture::drop(const std::function<void(BackendGraph &)> &finish) noexcept {
  const EndLock lock(*this);
  removeStreams();
  try {
    finish(*recorded);
  } catch (...) { // the graph is discarded
  }
}

} // namespace spl::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A capture in progress: the graph that is being recorded, and the streams that take part.
//
// As in CUDA, a stream joins a capture by waiting for an event that was recorded in it. The stream
// that began the capture must wait for the work of every other stream before the capture ends. A
// capture therefore counts the operations of each stream, and which of them each stream has waited
// for (a vector clock).
#ifndef SPL_RUNTIME_STREAM_CAPTURE_H
#define SPL_RUNTIME_STREAM_CAPTURE_H

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace spl::detail {

class BackendGraph;
class BackendStream;

/// The number of operations that each stream had recorded at one point of a capture.
using CaptureClock = std::map<const BackendStream *, std::size_t>;

/// Shared by the streams that take part. Used by one thread at a time.
class Capture : public std::enable_shared_from_this<Capture> {
public:
  /// Prepares a capture that \p origin begins.
  explicit Capture(BackendStream &origin);
  ~Capture();
  Capture(const Capture &) = delete;
  Capture &operator=(const Capture &) = delete;

  /// The graph that is being recorded.
  BackendGraph &graph() const { return *recorded; }

  /// Begins the capture. \p start makes the backend capture the origin and returns its graph.
  void begin(const std::function<std::unique_ptr<BackendGraph>()> &start);

  /// Adds \p stream and keeps it open until the capture ends. \p wait makes the backend's stream
  /// wait for the event through which it joins.
  void join(std::shared_ptr<BackendStream> stream, const std::function<void()> &wait);

  /// Counts one more operation of \p stream.
  void noteWork(const BackendStream &stream) { ++clocks[&stream][&stream]; }

  /// Records that \p stream waited for an event with the clock \p before.
  void noteWait(const BackendStream &stream, const CaptureClock &before);

  /// The operations that \p stream has recorded or waited for. An event that the stream records
  /// stores this clock.
  const CaptureClock &clockOf(const BackendStream &stream) { return clocks[&stream]; }

  /// Ends the capture for all its streams. Calls \p finish, which completes the graph in the
  /// backend, and returns the graph. Throws what \p finish throws, and InvalidArgument if the
  /// origin has not waited for all work of the streams that joined.
  std::unique_ptr<BackendGraph> end(const std::function<void(BackendGraph &)> &finish);

  /// Ends the capture and discards its graph.
  void drop(const std::function<void(BackendGraph &)> &finish) noexcept;

private:
  class EndLock;

  void add(BackendStream &stream);
  void removeStreams() noexcept;
  bool isWhole();

  BackendStream &origin;
  std::unique_ptr<BackendGraph> recorded;
  std::map<const BackendStream *, CaptureClock> clocks;
  std::vector<std::shared_ptr<BackendStream>> joined; ///< all streams except the origin
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface that a backend implements for streams, events, graphs and pools. The caller has
// checked every argument. A backend throws Error for failures that only the backend can detect.
#ifndef SPL_RUNTIME_BACKENDS_BACKENDSTREAM_H
#define SPL_RUNTIME_BACKENDS_BACKENDSTREAM_H

#include "runtime/memory/Allocation.h"
#include "runtime/stream/Capture.h"
#include "runtime/stream/StreamWork.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace spl {
struct PoolState;
}

namespace spl::detail {

class BackendModule;
class BoundArguments;

/// A launch's geometry. It is within the device's limits and has at least one group.
struct Geometry {
  std::array<std::int64_t, 3> numGroups{};
  std::array<std::int64_t, 3> localSize{};
  std::array<std::int64_t, 3> workItems{}; ///< that the launch asked for, before it was rounded up
  std::int64_t sharedBytes = 0;
  std::chrono::milliseconds timeLimit{
      0}; ///< 0 means no limit; otherwise the backend can end the kernel
};

/// One launch whose arguments are checked. It refers to objects of the caller.
struct LaunchRequest {
  /// Evaluates the kernel's launch contract. Throws UnsupportedOnTarget for a time limit that the
  /// backend cannot enforce, and for a grid barrier on a device without cooperative launches.
  /// Throws LaunchRefused for more groups than run at once, if the kernel has a grid barrier.
  LaunchRequest(const std::shared_ptr<const BackendModule> &module, std::size_t kernel,
                const Geometry &geometry, const BoundArguments &arguments);

  const std::shared_ptr<const BackendModule> &module;
  const std::size_t kernel;
  const Geometry &geometry;
  const BoundArguments &arguments;
  const std::size_t version; ///< the version of the kernel that runs (abi::Contract::Version)
};

/// A point in a stream's work.
class BackendEvent {
public:
  virtual ~BackendEvent() = default;
  /// Waits until the point is reached, and throws the asynchronous errors of the work before it.
  void sync();
  virtual bool query() = 0;
  /// Both events must have been recorded and reached.
  virtual float millisecondsSince(BackendEvent &start) = 0;

  bool isRecorded = false; ///< the last record was outside a capture
  WorkPlace place;         ///< the place of that record

  bool wasCaptured = false;       ///< the last record was in a capture, which may have ended
  std::weak_ptr<Capture> capture; ///< the capture of the last record
  CaptureClock before;            ///< the captured operations before that record

private:
  /// Waits until the point is reached. Throws if the wait itself fails.
  virtual void wait() = 0;
};

/// A graph that a stream recorded.
class BackendGraph {
public:
  /// One launch of the graph.
  struct Launch {
    std::shared_ptr<const BackendModule> module;
    std::size_t kernel = 0;
    Geometry geometry;
    std::vector<std::shared_ptr<Allocation>> memory; ///< the memory of its arguments
  };

  virtual ~BackendGraph() = default;
  virtual std::unique_ptr<class BackendGraphExec> instantiate() const = 0;

  std::vector<Launch> launches;                    ///< in the order of the calls
  std::vector<std::shared_ptr<Allocation>> memory; ///< the memory of all other operations
};

/// An instantiated graph.
class BackendGraphExec {
public:
  explicit BackendGraphExec(const BackendGraph &graph)
      : launches(graph.launches), memory(graph.memory) {}
  virtual ~BackendGraphExec() = default;

  /// Replaces a launch by another launch of the same kernel for all later runs.
  virtual void setLaunch(std::size_t index, const LaunchRequest &request) = 0;

  std::vector<BackendGraph::Launch> launches;
  /// The memory of all operations other than launches.
  const std::vector<std::shared_ptr<Allocation>> memory;
};

/// A queue of operations that run in order. Calls return before their operation is done, except in
/// a stream without StreamWork. Only one thread at a time may enqueue operations. Any thread may
/// wait. The program's streams and captures share ownership.
class BackendStream : public std::enable_shared_from_this<BackendStream> {
public:
  explicit BackendStream(std::shared_ptr<StreamWork> given) : work(std::move(given)) {}
  virtual ~BackendStream() = default;

  /// Null if operations are done when their calls return, as in the CPU's default stream.
  const std::shared_ptr<StreamWork> work;

  virtual void upload(const DeviceRange &target, const void *source) = 0;
  virtual void download(void *target, const DeviceRange &source) = 0;
  virtual void copy(const DeviceRange &target, const DeviceRange &source) = 0;
  /// Copies between two devices of the backend. The stream belongs to the source's device.
  virtual void copyToPeer(const DeviceRange &target, const DeviceRange &source) = 0;
  /// Fills the range with an element of 1, 2, 4 or 8 bytes. The element's size divides the range's
  /// size.
  virtual void fill(const DeviceRange &target, const void *element, std::size_t elementBytes) = 0;
  virtual void launch(const LaunchRequest &request) = 0;
  virtual void call(std::function<void()> function) = 0;

  void record(BackendEvent &event);
  /// If the event was recorded in a capture, the stream joins that capture.
  void wait(BackendEvent &event);

  /// Waits for the work enqueued so far, and throws its asynchronous errors.
  void sync();
  virtual bool query() = 0;

  /// The driver's stream as a number; 0 if there is none.
  virtual std::uint64_t native() const { return 0; }

  bool isCapturing() const { return work && work->isCapturing(); }
  void beginCapture();
  /// Ends the capture that this stream began, as Capture::end does.
  std::unique_ptr<BackendGraph> endCapture();
  /// Ends the capture that this stream began, and discards its graph.
  void dropCapture() noexcept;

  virtual void launch(const std::shared_ptr<BackendGraphExec> &graph) = 0;

protected:
  /// Marks memory as in use by an operation. Marks before and after the operation is enqueued,
  /// because a concurrent wait may clear the first mark.
  class Use {
  public:
    using Memory = std::span<const std::shared_ptr<Allocation>>;
    /// Marks nothing if \p stream is null.
    Use(BackendStream *stream, Memory memory) : stream(stream), memory(memory) { mark(); }
    ~Use();
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    void mark() const;
    BackendStream *const stream;
    const Memory memory;
  };

  /// Returns a Use, which every operation holds from before it enqueues its work until it returns.
  /// In a capture, adds the memory to the graph instead.
  [[nodiscard]] Use use(const DeviceRange &range);
  [[nodiscard]] Use use(const LaunchRequest &request);
  void use(const BackendGraphExec &graph);
  /// Counts an operation that uses no memory, if there is a capture.
  void noteWork();

  /// The graph that is being recorded. The stream must be capturing.
  BackendGraph &graph() const { return capture->graph(); }

  virtual void doRecord(BackendEvent &event) = 0;
  virtual void doWait(BackendEvent &event) = 0;
  virtual std::unique_ptr<BackendGraph> startCapture() = 0;
  /// Completes the graph. Throws the backend's error for an invalid graph.
  virtual void finishCapture(BackendGraph &graph) = 0;

private:
  friend class Capture;

  std::shared_ptr<Capture> capture; ///< null outside a capture
};

/// Memory that is allocated and freed in the order of streams.
class BackendPool {
public:
  virtual ~BackendPool() = default;
  virtual std::shared_ptr<Allocation> allocate(std::size_t bytes,
                                               const std::shared_ptr<BackendStream> &stream) = 0;
  virtual PoolState state() const = 0;
  virtual void trim(std::size_t keepBytes) = 0;
};

} // namespace spl::detail

#endif

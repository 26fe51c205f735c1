// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between the facade and a backend's queues of work: streams, events, graphs. The
// facade has checked every argument before it calls; a backend reports what only it can know, by
// throwing Error.
#ifndef SPL_RUNTIME_BACKENDS_BACKENDSTREAM_H
#define SPL_RUNTIME_BACKENDS_BACKENDSTREAM_H

#include "runtime/memory/Allocation.h"
#include "runtime/stream/StreamWork.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

/// A launch's geometry, within the device's limits and with at least one group.
struct Geometry {
  std::array<std::int64_t, 3> numGroups{};
  std::array<std::int64_t, 3> localSize{};
  std::int64_t sharedBytes = 0;
  std::chrono::milliseconds timeLimit{0}; ///< 0: none; else the backend can end the kernel
};

/// One launch, checked. It refers to what the caller holds.
struct LaunchRequest {
  /// Tests the kernel's launch contract: every launch there is has passed here. Throws
  /// UnsupportedOnTarget for a time limit that the backend cannot keep.
  LaunchRequest(const std::shared_ptr<const BackendModule> &module, std::size_t kernel,
                const Geometry &geometry, const BoundArguments &arguments);

  const std::shared_ptr<const BackendModule> &module;
  const std::size_t kernel;
  const Geometry &geometry;
  const BoundArguments &arguments;
  const bool unchecked; ///< the kernel has a contract, and it holds
};

struct Capture;

/// What had been recorded of each stream at some point of a capture.
using CaptureClock = std::map<const class BackendStream *, std::size_t>;

/// A point in a stream's work.
class BackendEvent {
public:
  virtual ~BackendEvent() = default;
  /// Waits until the point is reached, and throws what failed before it.
  void sync();
  virtual bool query() = 0;
  /// Both were recorded and are done.
  virtual float millisecondsSince(BackendEvent &start) = 0;

  bool isRecorded = false; ///< outside of a capture
  WorkPlace place;         ///< then where

  /// The capture it was recorded in last, if that is so, and what was before it.
  std::weak_ptr<Capture> capture;
  bool wasCaptured = false; ///< whether that is so, also when the capture is over
  CaptureClock before;

private:
  /// Throws what the waiting itself meets.
  virtual void wait() = 0;
};

/// What a stream recorded.
class BackendGraph {
public:
  /// A launch among it.
  struct Launch {
    std::shared_ptr<const BackendModule> module;
    std::size_t kernel = 0;
    Geometry geometry;
    std::vector<std::shared_ptr<Allocation>> memory; ///< of its arguments
  };

  virtual ~BackendGraph() = default;
  virtual std::unique_ptr<class BackendGraphExec> instantiate() const = 0;

  std::vector<Launch> launches;                    ///< in the order they were made
  std::vector<std::shared_ptr<Allocation>> memory; ///< what everything else uses
};

/// A graph made ready to run.
class BackendGraphExec {
public:
  explicit BackendGraphExec(const BackendGraph &graph)
      : launches(graph.launches), memory(graph.memory) {}
  virtual ~BackendGraphExec() = default;

  /// Makes a launch another one of the same kernel, from the next run on.
  virtual void setLaunch(std::size_t index, const LaunchRequest &request) = 0;

  std::vector<BackendGraph::Launch> launches;
  const std::vector<std::shared_ptr<Allocation>> memory; ///< what all but the launches use
};

/// A capture in progress, shared by the streams that take part.
struct Capture {
  std::unique_ptr<BackendGraph> graph;
  std::map<const BackendStream *, CaptureClock> clocks;
  /// Streams besides the one it began with, which they must not end before.
  std::vector<std::shared_ptr<BackendStream>> joined;
};

/// A queue of work that runs in order. Operations return before their work is done, except those
/// of the CPU's default stream. Used by one thread at a time; those that wait, by any.
/// Owned by the program's streams and by captures: its end is theirs.
class BackendStream : public std::enable_shared_from_this<BackendStream> {
public:
  explicit BackendStream(std::shared_ptr<StreamWork> given) : work(std::move(given)) {}
  virtual ~BackendStream() = default;

  /// Null for the CPU's default stream, whose work is done when it has been given.
  const std::shared_ptr<StreamWork> work;

  virtual void upload(const DeviceRange &target, const void *source) = 0;
  virtual void download(void *target, const DeviceRange &source) = 0;
  virtual void copy(const DeviceRange &target, const DeviceRange &source) = 0;
  /// Between two devices of the backend; this stream is of the source's.
  virtual void copyToPeer(const DeviceRange &target, const DeviceRange &source) = 0;
  /// Repeats an element of 1, 2, 4 or 8 bytes, which divides the range.
  virtual void fill(const DeviceRange &target, const void *element, std::size_t elementBytes) = 0;
  virtual void launch(const LaunchRequest &request) = 0;
  virtual void call(std::function<void()> function) = 0;

  void record(BackendEvent &event);
  /// Also joins the capture in which the event was recorded.
  void wait(BackendEvent &event);

  /// Throws what the work left as an error.
  void sync();
  virtual bool query() = 0;

  /// The driver's stream as a number; 0 where it has none.
  virtual std::uint64_t native() const { return 0; }

  bool isCapturing() const { return work && work->isCapturing(); }
  void beginCapture();
  /// What was captured. Ends the capture also where it throws: InvalidArgument for streams that
  /// joined and were not waited for again.
  std::unique_ptr<BackendGraph> endCapture();
  /// Gives up the capture.
  void dropCapture() noexcept;

  virtual void launch(const std::shared_ptr<BackendGraphExec> &graph) = 0;

protected:
  /// Memory that an operation uses, while it gives its work. It is noted before the work is there
  /// and once more behind it: who waits for the memory's uses meanwhile, in another thread and for
  /// another view, does not wait for this work, and has forgotten that it comes.
  class Use {
  public:
    using Memory = std::span<const std::shared_ptr<Allocation>>;
    /// Nothing is noted for a null \p stream.
    Use(BackendStream *stream, Memory memory) : stream(stream), memory(memory) { note(); }
    ~Use();
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    void note() const;
    BackendStream *const stream;
    const Memory memory;
  };

  /// To be kept by every operation from before its work to the end: notes the memory it uses, for
  /// the graph in a capture and else for those who wait for it.
  [[nodiscard]] Use use(const DeviceRange &range);
  [[nodiscard]] Use use(const LaunchRequest &request);
  void use(const BackendGraphExec &graph);
  void noteWork();

  /// The graph that is being recorded, of a capturing stream.
  BackendGraph &graph() const { return *recording->graph; }

  virtual void doRecord(BackendEvent &event) = 0;
  virtual void doWait(BackendEvent &event) = 0;
  virtual std::unique_ptr<BackendGraph> startCapture() = 0;
  /// Completes the graph; throws what the backend finds wrong with it.
  virtual void finishCapture(BackendGraph &graph) = 0;

private:
  class CaptureEnd;
  void leaveCapture() noexcept;
  void enterCapture(std::shared_ptr<Capture> capture);

  std::shared_ptr<Capture> recording; ///< null outside of a capture
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

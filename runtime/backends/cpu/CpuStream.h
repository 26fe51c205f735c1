// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU's streams, events and graphs. A stream is a queue with its own thread. The default stream
// has no thread: it runs an operation during the call, in the calling thread. Queued work shares
// ownership of the memory and modules that it uses.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUSTREAM_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUSTREAM_H

#include "runtime/backends/BackendContext.h"
#include "runtime/backends/cpu/CpuQueue.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace spl::detail {

/// Repeats an element of \p elementBytes over \p bytes of memory.
void fillMemory(void *target, const void *element, std::size_t elementBytes, std::size_t bytes);

class CpuEvent final : public BackendEvent {
public:
  bool query() override;
  float millisecondsSince(BackendEvent &start) override;

  /// Moves the event to a new point. Returns the task that marks this point as reached.
  CpuQueue::Task mark();
  /// Returns a task that waits for the event's current point.
  CpuQueue::Task waiter() const;

private:
  void wait() override { point->wait(); } // a point that is reached never changes

  /// The point of one record. A wait for it is independent of later records.
  struct Point {
    std::mutex mutex;
    std::condition_variable changed;
    bool isReached = false;
    std::chrono::steady_clock::time_point time;

    void wait();
  };
  std::shared_ptr<Point> point; ///< null before the first record
};

class CpuGraph final : public BackendGraph {
public:
  std::unique_ptr<BackendGraphExec> instantiate() const override;

  struct Node {
    CpuQueue::Task run;
    std::optional<std::size_t> launch; ///< the index of the launch, if the node is a launch
  };
  std::vector<Node> nodes; ///< in the order of the calls, in which they can run
};

class CpuGraphExec final : public BackendGraphExec {
public:
  explicit CpuGraphExec(const CpuGraph &graph);
  void setLaunch(std::size_t index, const LaunchRequest &request) override;

  /// The nodes of the next run. Runs that were enqueued earlier keep their nodes.
  std::shared_ptr<const std::vector<CpuGraph::Node>> nodes;
};

/// The work of a stream with a queue. The tasks own the memory that they use.
class CpuWork final : public StreamWork {
public:
  explicit CpuWork(std::shared_ptr<CpuQueue::Work> tasks) : tasks(std::move(tasks)) {}

  void wait() override { CpuQueue::wait(*tasks); }
  bool finish() noexcept override { return true; }
  bool isOver() const noexcept override { return CpuQueue::isOver(*tasks); }

  const std::shared_ptr<CpuQueue::Work> tasks;
};

class CpuStream final : public BackendStream {
public:
  /// Makes the default stream of a context. The context owns it.
  CpuStream() : BackendStream(nullptr) {}
  /// Makes a stream with a queue. The stream keeps its context open, and its destructor waits for
  /// the queue.
  explicit CpuStream(std::shared_ptr<BackendContext> opened)
      : CpuStream(std::move(opened), std::make_unique<CpuQueue>()) {}

  void upload(const DeviceRange &target, const void *source) override;
  void download(void *target, const DeviceRange &source) override;
  void copy(const DeviceRange &target, const DeviceRange &source) override;
  void copyToPeer(const DeviceRange &target, const DeviceRange &source) override {
    copy(target, source);
  }
  void fill(const DeviceRange &target, const void *element, std::size_t elementBytes) override;
  void launch(const LaunchRequest &request) override;
  void launch(const std::shared_ptr<BackendGraphExec> &graph) override;
  void call(std::function<void()> function) override;

  bool query() override;

private:
  CpuStream(std::shared_ptr<BackendContext> opened, std::unique_ptr<CpuQueue> given)
      : BackendStream(std::make_shared<CpuWork>(given->work())), opened(std::move(opened)),
        queue(std::move(given)) {}

  void doRecord(BackendEvent &event) override;
  void doWait(BackendEvent &event) override;
  std::unique_ptr<BackendGraph> startCapture() override { return std::make_unique<CpuGraph>(); }
  void finishCapture(BackendGraph &) override {}

  bool isInline() const { return !queue; }

  /// Enqueues \p task, or records it in a capture. After an error of earlier work the task is
  /// skipped. An exception of the task is the operation's error. The default stream throws it at
  /// once.
  void submit(CpuQueue::Task task, std::optional<std::size_t> launch = std::nullopt);

  const std::shared_ptr<BackendContext> opened; ///< null for the default stream
  const std::unique_ptr<CpuQueue> queue;        ///< null for the default stream
};

} // namespace spl::detail

#endif

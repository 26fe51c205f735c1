// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU's streams, events and graphs. A stream is a queue with its own thread. The default stream
// has none and runs its operations at once, in the calling thread. Queued work shares the memory
// and modules that it uses.
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

  /// Moves the point to the end of the work so far; returns the task that marks it as reached.
  CpuQueue::Task mark();
  /// A task that waits for the point that the event has at the time of the call.
  CpuQueue::Task waiter() const;

private:
  void wait() override { point->wait(); } // from then on it stays as it is

  /// The point of one record. A wait for it is independent of later records.
  struct Point {
    std::mutex mutex;
    std::condition_variable changed;
    bool isReached = false;
    std::chrono::steady_clock::time_point time;

    void wait();
  };
  std::shared_ptr<Point> point; ///< null before the first
};

class CpuGraph final : public BackendGraph {
public:
  std::unique_ptr<BackendGraphExec> instantiate() const override;

  struct Node {
    CpuQueue::Task run;
    std::optional<std::size_t> launch; ///< its index among the launches, if it is one
  };
  std::vector<Node> nodes; ///< in the order they were given, which is one that they can run in
};

class CpuGraphExec final : public BackendGraphExec {
public:
  explicit CpuGraphExec(const CpuGraph &graph);
  void setLaunch(std::size_t index, const LaunchRequest &request) override;

  /// The nodes of the next run. Runs that were enqueued earlier keep their nodes.
  std::shared_ptr<const std::vector<CpuGraph::Node>> nodes;
};

/// The work of a stream with a queue. It holds the memory that it uses.
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
  /// The default stream of a context, which owns it.
  CpuStream() : BackendStream(nullptr) {}
  /// A stream with a queue. It keeps its context open, and its destructor waits for the queue.
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

  /// Enqueues \p task, or records it in a capture. The task is skipped after an error of the work
  /// before it. An exception of the task is the operation's error; the default stream throws it at
  /// once.
  void submit(CpuQueue::Task task, std::optional<std::size_t> launch = std::nullopt);

  const std::shared_ptr<BackendContext> opened; ///< null for the default stream
  const std::unique_ptr<CpuQueue> queue;        ///< null for the default stream
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU's streams, events and graphs. A stream is a queue with a thread of its own; the default
// stream has none and does its work at once, in the calling thread. Queued work holds the memory
// and modules it uses.
#ifndef SPL_RUNTIME_CPU_CPUSTREAM_H
#define SPL_RUNTIME_CPU_CPUSTREAM_H

#include "runtime/core/BackendContext.h"
#include "runtime/core/Outcome.h"
#include "runtime/cpu/CpuQueue.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace spl::detail {

/// Repeats an element of \p elementBytes over \p bytes of memory.
void fillMemory(void *target, const void *element, std::size_t elementBytes, std::size_t bytes);

class CpuEvent final : public BackendEvent {
public:
  void sync() override;
  bool query() override;
  float millisecondsSince(BackendEvent &start) override;

  /// The point is now in front of what comes next; answers the task that marks it as reached.
  CpuQueue::Task mark(std::shared_ptr<Outcome> outcome);
  /// A task that waits for what the event stands for at the time of the call.
  CpuQueue::Task waiter() const;

private:
  /// What one record stands for. Whoever waits for it is not concerned by later ones.
  struct Point {
    std::mutex mutex;
    std::condition_variable changed;
    bool isReached = false;
    std::chrono::steady_clock::time_point time;
    std::shared_ptr<Outcome> outcome; ///< of the stream it was recorded in
    std::exception_ptr failure;       ///< what the outcome was when it was reached

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

  /// What runs now. Runs that were given earlier keep what they had.
  std::shared_ptr<const std::vector<CpuGraph::Node>> nodes;
};

class CpuStream final : public BackendStream {
public:
  /// The default stream of a context, which owns it.
  CpuStream() = default;
  /// One with a queue, which keeps its context open.
  explicit CpuStream(std::shared_ptr<BackendContext> opened)
      : opened(std::move(opened)), queue(std::in_place) {}

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

  void sync() override;
  bool finish() noexcept override { return true; } // its work holds the memory that it uses
  bool query() override;

  /// Its work, which may last longer than it; null for the default stream.
  std::weak_ptr<CpuQueue::Work> work() const;

  /// Shared with the tasks and the events, which may outlive the stream, and with the context.
  const std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();

private:
  void doRecord(BackendEvent &event) override;
  void doWait(BackendEvent &event) override;
  std::unique_ptr<BackendGraph> startCapture() override { return std::make_unique<CpuGraph>(); }
  void finishCapture(BackendGraph &) override {}

  bool isInline() const { return !queue; }

  /// Runs \p task in its turn, or records it; what it throws is kept for sync.
  void submit(CpuQueue::Task task, std::optional<std::size_t> launch = std::nullopt);

  const std::shared_ptr<BackendContext> opened; ///< null for the default stream
  std::optional<CpuQueue> queue;
};

} // namespace spl::detail

#endif

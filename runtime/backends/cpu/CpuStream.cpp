// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuStream.h"

#include "runtime/backends/cpu/CpuBackend.h"
#include "runtime/backends/cpu/CpuLaunch.h"
#include "runtime/launch/Arguments.h"
#include "spl/Error.h"

#include <algorithm>
#include <cstring>

namespace spl::detail {

void fillMemory(void *target, const void *element, std::size_t elementBytes, std::size_t bytes) {
  char *begin = static_cast<char *>(target);
  std::memcpy(begin, element, elementBytes);
  // Each memcpy copies all that is filled already, so most of the pattern is written by large
  // copies.
  for (std::size_t done = elementBytes; done < bytes;) {
    std::size_t step = std::min(done, bytes - done);
    std::memcpy(begin + done, begin, step);
    done += step;
  }
}

// Events.

void CpuEvent::Point::wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return isReached; });
}

CpuQueue::Task CpuEvent::mark() {
  point = std::make_shared<Point>();
  return [point = point] {
    {
      std::lock_guard lock(point->mutex);
      point->isReached = true;
      point->time = std::chrono::steady_clock::now();
    }
    point->changed.notify_all();
  };
}

CpuQueue::Task CpuEvent::waiter() const {
  return [point = point] {
    if (point)
      point->wait();
  };
}

bool CpuEvent::query() {
  std::lock_guard lock(point->mutex);
  return point->isReached;
}

float CpuEvent::millisecondsSince(BackendEvent &start) {
  const Point &first = *static_cast<CpuEvent &>(start).point;
  return std::chrono::duration<float, std::milli>(point->time - first.time).count();
}

// Graphs.

/// Makes a task of a launch. The task keeps copies of all that the request refers to.
static CpuQueue::Task launchTask(const LaunchRequest &request) {
  return [arguments = std::make_shared<OwnedArguments>(request.arguments), module = request.module,
          kernel = request.kernel, version = request.version, geometry = request.geometry] {
    runKernel(*module, kernel, version, geometry, arguments->params().data());
  };
}

std::unique_ptr<BackendGraphExec> CpuGraph::instantiate() const {
  return std::make_unique<CpuGraphExec>(*this);
}

CpuGraphExec::CpuGraphExec(const CpuGraph &graph)
    : BackendGraphExec(graph),
      nodes(std::make_shared<const std::vector<CpuGraph::Node>>(graph.nodes)) {}

void CpuGraphExec::setLaunch(std::size_t index, const LaunchRequest &request) {
  std::vector<CpuGraph::Node> changed = *nodes;
  for (CpuGraph::Node &node : changed)
    if (node.launch == index)
      node.run = launchTask(request);
  nodes = std::make_shared<const std::vector<CpuGraph::Node>>(std::move(changed));
}

// Streams.

void CpuStream::submit(CpuQueue::Task task, std::optional<std::size_t> launch) {
  if (isCapturing())
    return static_cast<CpuGraph &>(graph()).nodes.push_back({std::move(task), launch});
  if (isInline())
    return task();
  const WorkPlace operation = work->errors->add();
  try {
    queue->push([task = std::move(task), operation] { StreamErrors::run(operation, task); });
  } catch (...) {
    StreamErrors::finish(operation); // it never runs, so later waits must not wait for it
    throw;
  }
}

static void *hostPointer(std::uint64_t address) { return reinterpret_cast<void *>(address); }

void CpuStream::upload(const DeviceRange &target, const void *source) {
  const Use written = use(target);
  submit([memory = target.memory, to = hostPointer(target.address), source, bytes = target.bytes] {
    std::memcpy(to, source, bytes);
  });
}

void CpuStream::download(void *target, const DeviceRange &source) {
  const Use read = use(source);
  submit([memory = source.memory, from = hostPointer(source.address), target,
          bytes = source.bytes] { std::memcpy(target, from, bytes); });
}

void CpuStream::copy(const DeviceRange &target, const DeviceRange &source) {
  const Use written = use(target), read = use(source);
  submit([memory = target.memory, other = source.memory, to = hostPointer(target.address),
          from = hostPointer(source.address),
          bytes = source.bytes] { std::memcpy(to, from, bytes); });
}

void CpuStream::fill(const DeviceRange &target, const void *element, std::size_t elementBytes) {
  const Use written = use(target);
  std::array<std::byte, sizeof(std::uint64_t)> value{};
  std::memcpy(value.data(), element, elementBytes);
  submit([memory = target.memory, to = hostPointer(target.address), value, elementBytes,
          bytes = target.bytes] { fillMemory(to, value.data(), elementBytes, bytes); });
}

void CpuStream::launch(const LaunchRequest &request) {
  if (isInline()) // the caller's objects are valid until the call returns
    return runKernel(*request.module, request.kernel, request.version, request.geometry,
                     request.arguments.params().data());
  const Use used = use(request);
  std::optional<std::size_t> index;
  if (isCapturing())
    index = graph().launches.size() - 1;
  submit(launchTask(request), index);
}

void CpuStream::launch(const std::shared_ptr<BackendGraphExec> &graph) {
  use(*graph);
  submit([nodes = static_cast<CpuGraphExec &>(*graph).nodes] {
    for (const CpuGraph::Node &node : *nodes)
      node.run();
  });
  use(*graph); // after the operation, as the destructor of Use does
}

void CpuStream::call(std::function<void()> function) {
  noteWork();
  submit(std::move(function));
}

void CpuStream::doRecord(BackendEvent &event) {
  if (isCapturing()) // a graph runs its nodes in order, so an event needs no node
    return;
  CpuQueue::Task mark = static_cast<CpuEvent &>(event).mark();
  if (isInline())
    return mark();
  queue->push(std::move(mark)); // runs even if the operations before it were skipped
}

void CpuStream::doWait(BackendEvent &event) {
  if (event.capture.expired())
    queue->push(static_cast<CpuEvent &>(event).waiter());
}

bool CpuStream::query() { return isInline() || queue->isIdle(); }

} // namespace spl::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaWork.h"

#include <algorithm>
#include <list>
#include <utility>

namespace spl::detail {

// The driver's stream.

DriverStream::DriverStream(std::shared_ptr<CudaContext> given, int priority)
    : context(*given), opened(std::move(given)) {
  CudaContext::Current current = context.enter();
  int least = 0, greatest = 0; // in the driver, lower numbers are higher priorities
  context.call(context.driver.ctxGetStreamPriorityRange, &least, &greatest);
  constexpr unsigned nonBlocking = 1;
  context.call(context.driver.streamCreate, &handle, nonBlocking,
               std::max(least - priority, greatest));
}

DriverStream::DriverStream(std::shared_ptr<CudaContext> given, CuStream theirs,
                           std::function<void()> release)
    : context(*given), isWrapped(true), opened(std::move(given)), release(std::move(release)),
      handle(theirs) {}

DriverStream::~DriverStream() {
  if (!opened || !context.inMakingProcess())
    return;
  CudaContext::Current current(context);
  if (!current)
    return;
  if (!isWrapped)
    context.driver.streamDestroy(handle);
  if (beforeCapture)
    context.driver.eventDestroy(beforeCapture);
}

// The work of a stream.

CuResult CudaWork::waitIn(const DriverStream &opened) const {
  const Driver &driver = opened.context.driver;
  {
    const auto kept = keepCapturing();
    if (!isCapturing())
      return driver.streamSynchronize(opened.handle);
  }
  // Captured operations do not run, and the driver cannot wait for a stream that is being captured.
  // The event marks the work before the capture.
  return driver.eventSynchronize(opened.beforeCapture);
}

void CudaWork::wait() {
  const std::shared_ptr<DriverStream> opened = open();
  if (!opened)
    return;
  CudaContext::Current current = opened->context.enter();
  const std::uint64_t enqueued = faults->now();
  if (CuResult result = waitIn(*opened); result != CuResult::Success) {
    const Driver &driver = opened->context.driver;
    opened->context.check(result, isCapturing() ? driver.eventSynchronize.name
                                                : driver.streamSynchronize.name);
  }
  faults->endWork(errors.get(), enqueued);
  calls->endOver();
}

bool CudaWork::finish() noexcept {
  const std::shared_ptr<DriverStream> opened = open();
  if (!opened)
    return true;
  CudaContext::Current current(opened->context);
  const std::uint64_t enqueued = faults->now();
  const CuResult result = current ? waitIn(*opened) : current.result;
  if (result == CuResult::Success)
    faults->endWork(errors.get(), enqueued);
  return result == CuResult::Success || endsContext(result);
}

void CudaWork::keep(const std::shared_ptr<HostCalls> &graph) {
  std::set<std::shared_ptr<HostCalls>> over; // destroyed after the lock is released
  std::lock_guard lock(mutex);
  for (const std::shared_ptr<HostCalls> &each : graphs)
    if (!each->isRunning())
      over.insert(each);
  for (const std::shared_ptr<HostCalls> &each : over)
    graphs.erase(each);
  graphs.insert(graph);
}

void CudaWork::endCalls() noexcept {
  std::unique_lock lock(mutex);
  const bool areRunning =
      !calls->isEmpty() ||
      std::any_of(graphs.begin(), graphs.end(), [](const auto &each) { return each->isRunning(); });
  std::set<std::shared_ptr<HostCalls>> ended = std::exchange(graphs, {});
  lock.unlock();
  if (!areRunning || finish()) {
    calls->endOver(); // their objects may own this object
    return;
  }
  // The driver may still call these functions, so they are kept for the rest of the process.
  static std::mutex keptMutex;
  static auto *kept = new std::list<std::shared_ptr<HostCalls>>;
  std::lock_guard keep(keptMutex);
  kept->push_back(calls);
  kept->insert(kept->end(), ended.begin(), ended.end());
}

bool CudaWork::closeIfDone() noexcept {
  const std::shared_ptr<DriverStream> opened = open();
  if (!opened)
    return true;
  const Driver &driver = opened->context.driver;
  CudaContext::Current current(opened->context);
  const CuResult result = current ? driver.streamQuery(opened->handle) : current.result;
  if (result != CuResult::Success && !endsContext(result))
    return false;
  faults->endWork(errors.get(), faults->now()); // the stream has ended
  close(*opened, result, driver.streamQuery.name);
  return true;
}

void CudaWork::close() noexcept {
  const std::shared_ptr<DriverStream> opened = open();
  if (!opened)
    return;
  CudaContext::Current current(opened->context);
  const CuResult result = current ? waitIn(*opened) : current.result;
  faults->endWork(errors.get(), faults->now());
  close(*opened, result, opened->context.driver.streamSynchronize.name);
}

/// Releases this object's reference to the driver's stream; the caller holds another one. If \p
/// result of \p call says that the work was lost, adds an asynchronous error, because memory of
/// another device may have been used in the stream.
void CudaWork::close(const DriverStream &opened, CuResult result, const char *call) noexcept {
  if (result != CuResult::Success)
    try {
      StreamErrors::run(errors->add(), [&] { opened.context.check(result, call); });
    } catch (...) { // no memory for the error
    }
  std::lock_guard lock(mutex);
  stream.reset();
}

} // namespace spl::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What streams of every backend do alike: which memory their work uses, and which of them take part
// in a capture. As CUDA does it, a stream joins by waiting for an event of a stream that takes
// part, and its work must be waited for again before the capture ends.
#include "runtime/backends/BackendStream.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/LaunchContract.h"
#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>
#include <mutex>

namespace spl::detail {

static bool contractHolds(const Signature &kernel, const Geometry &geometry,
                          const BoundArguments &arguments) {
  const LaunchContract *contract = kernel.launchContract();
  return contract && contract->holds(arguments.params(), geometry);
}

LaunchRequest::LaunchRequest(const std::shared_ptr<const BackendModule> &module, std::size_t kernel,
                             const Geometry &geometry, const BoundArguments &arguments)
    : module(module), kernel(kernel), geometry(geometry), arguments(arguments),
      unchecked(contractHolds(module->kernels[kernel], geometry, arguments)) {
  if (geometry.timeLimit.count() == 0)
    return;
  if (const std::optional<NoTimeLimit> cannot = module->noTimeLimit(kernel))
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "launch of " + module->kernels[kernel].name() +
                            ": it has a time limit, and " + cannot->reason,
                 .context = module->context->describe(),
                 .remedy = cannot->remedy});
}

void BackendStream::Use::note() const {
  if (stream)
    for (const std::shared_ptr<Allocation> &each : memory)
      each->usedBy(stream->work);
}

BackendStream::Use::~Use() {
  try {
    note();
  } catch (...) { // no memory to note it: then the work ends first
    try {
      stream->work->wait();
    } catch (...) {
      stream->work->finish();
    }
  }
}

BackendStream::Use BackendStream::use(const DeviceRange &range) {
  noteWork();
  if (!recording)
    return {work ? this : nullptr, {&range.memory, 1}};
  std::vector<std::shared_ptr<Allocation>> &kept = recording->graph->memory;
  if (std::find(kept.begin(), kept.end(), range.memory) == kept.end())
    kept.push_back(range.memory);
  return {nullptr, {}};
}

BackendStream::Use BackendStream::use(const LaunchRequest &request) {
  noteWork();
  const Use::Memory memory = request.arguments.memory();
  if (!recording)
    return {work ? this : nullptr, memory};
  recording->graph->launches.push_back(
      {request.module, request.kernel, request.geometry, {memory.begin(), memory.end()}});
  return {nullptr, {}};
}

void BackendStream::use(const BackendGraphExec &graph) {
  if (!work)
    return;
  for (const std::shared_ptr<Allocation> &each : graph.memory)
    each->usedBy(work);
  for (const BackendGraph::Launch &launch : graph.launches)
    for (const std::shared_ptr<Allocation> &each : launch.memory)
      each->usedBy(work);
}

void BackendStream::noteWork() {
  if (recording)
    ++recording->clocks[this][this];
}

void BackendEvent::sync() {
  wait();
  Failures failures;
  failures.take(place);
  failures.rethrow();
}

void BackendStream::sync() {
  if (work)
    work->sync();
}

void BackendStream::record(BackendEvent &event) {
  doRecord(event);
  event.isRecorded = !recording;
  event.place = work && !recording ? work->outcome->now() : WorkPlace();
  event.capture = recording;
  event.wasCaptured = recording != nullptr;
  event.before = recording ? recording->clocks[this] : CaptureClock();
}

void BackendStream::wait(BackendEvent &event) {
  std::shared_ptr<Capture> capture = event.capture.lock();
  if (event.wasCaptured && !capture)
    refuse("wait: the event was recorded while a graph was captured, which is over",
           "record it again");
  if (recording && recording != capture)
    refuse("wait: the event was not recorded in the capture that the stream takes part in",
           "wait before the capture, or record the event in it");
  if (!capture) {
    if (work) {
      doWait(event);
      work->outcome->follow(event.place);
    } else if (event.isRecorded) {
      event.sync(); // what it is given next is done at once
    }
    return;
  }
  if (recording) {
    doWait(event);
  } else {
    std::unique_lock change(work->captureChange);
    doWait(event);
    capture->joined.push_back(shared_from_this());
    enterCapture(capture);
  }
  CaptureClock &clock = capture->clocks[this];
  for (const auto &[stream, count] : event.before)
    clock[stream] = std::max(clock[stream], count);
}

void BackendStream::beginCapture() {
  if (recording)
    refuse("capture: the stream already takes part in one", "end that first");
  auto capture = std::make_shared<Capture>();
  std::unique_lock change(work->captureChange);
  capture->graph = startCapture();
  enterCapture(std::move(capture));
}

void BackendStream::enterCapture(std::shared_ptr<Capture> capture) {
  recording = std::move(capture);
  work->isRecording.store(true, std::memory_order_release);
}

/// Nobody begins to wait for a stream of a capture while that ends. The graph must not end
/// meanwhile: its memory may wait for these streams.
class BackendStream::CaptureEnd {
public:
  CaptureEnd(BackendStream &origin, const Capture &capture) : origin(origin), capture(capture) {
    origin.work->captureChange.lock();
    for (const std::shared_ptr<BackendStream> &stream : capture.joined)
      stream->work->captureChange.lock();
  }
  ~CaptureEnd() {
    for (const std::shared_ptr<BackendStream> &stream : capture.joined)
      stream->work->captureChange.unlock();
    origin.work->captureChange.unlock();
  }
  CaptureEnd(const CaptureEnd &) = delete;
  CaptureEnd &operator=(const CaptureEnd &) = delete;

private:
  BackendStream &origin;
  const Capture &capture;
};

/// No stream takes part in the capture any more.
void BackendStream::leaveCapture() noexcept {
  const std::shared_ptr<Capture> capture = recording;
  auto leave = [](BackendStream &stream) {
    stream.work->isRecording.store(false, std::memory_order_release);
    stream.recording.reset();
  };
  for (const std::shared_ptr<BackendStream> &stream : capture->joined)
    leave(*stream);
  leave(*this);
}

std::unique_ptr<BackendGraph> BackendStream::endCapture() {
  const std::shared_ptr<Capture> capture = recording;
  std::unique_ptr<BackendGraph> graph = std::move(capture->graph);
  const CaptureEnd end(*this, *capture);
  leaveCapture();
  const CaptureClock &own = capture->clocks[this];
  bool isWhole = true;
  for (const auto &[stream, clock] : capture->clocks)
    if (auto work = clock.find(stream); work != clock.end())
      if (auto known = own.find(stream); known == own.end() || known->second < work->second)
        isWhole = false;
  if (!isWhole) {
    try {
      finishCapture(*graph);
    } catch (const Error &) { // says the same, in the backend's words
    }
    refuse("capture: a stream that took part was not waited for again",
           "record an event after its work and wait for it in the stream that is captured");
  }
  finishCapture(*graph);
  return graph;
}

void BackendStream::dropCapture() noexcept {
  const std::shared_ptr<Capture> capture = recording;
  const CaptureEnd end(*this, *capture);
  leaveCapture();
  try {
    finishCapture(*capture->graph);
  } catch (...) { // it is given up
  }
}

} // namespace spl::detail

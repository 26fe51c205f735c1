// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaStream.h"

#include "runtime/backends/cuda/CudaGraph.h"
#include "runtime/backends/cuda/CudaModule.h"
#include "runtime/launch/Arguments.h"

#include <cstring>

namespace spl::detail {

// Events.

CudaEvent::CudaEvent(std::shared_ptr<CudaContext> given) : context(std::move(given)) {
  CudaContext::Current current = context->enter();
  context->call(context->driver.eventCreate, &event, 0u);
}

CudaEvent::~CudaEvent() {
  if (!context->inMakingProcess())
    return;
  CudaContext::Current current(*context);
  if (current)
    context->driver.eventDestroy(event);
}

void CudaEvent::wait() {
  CudaContext::Current current = context->enter();
  context->call(context->driver.eventSynchronize, event);
  context->faults->endWork(errors.get(), enqueued);
  before->endOver();
}

bool CudaEvent::query() {
  CudaContext::Current current = context->enter();
  const CuResult result = context->driver.eventQuery(event);
  if (result == CuResult::NotReady)
    return false;
  context->check(result, context->driver.eventQuery.name);
  return true;
}

float CudaEvent::millisecondsSince(BackendEvent &start) {
  CudaContext::Current current = context->enter();
  float milliseconds = 0;
  context->call(context->driver.eventElapsedTime, &milliseconds,
                static_cast<CudaEvent &>(start).event, event);
  return milliseconds;
}

// Streams.

CudaStream::CudaStream(std::shared_ptr<CudaWork> given)
    : BackendStream(std::move(given)), opened(cudaWork().open()), context(opened->context),
      stream(opened->handle) {}

CudaStream::~CudaStream() {
  if (!context.inMakingProcess())
    return;
  cudaWork().endCalls();
  if (work.use_count() > 1) // memory still refers to the work
    context.end(std::static_pointer_cast<CudaWork>(work));
}

void CudaStream::upload(const DeviceRange &target, const void *source) {
  CudaContext::Current current = context.enter();
  const Use written = use(target);
  context.call(context.driver.memcpyHtoDAsync, target.address, source, target.bytes, stream);
}

void CudaStream::download(void *target, const DeviceRange &source) {
  CudaContext::Current current = context.enter();
  const Use read = use(source);
  context.call(context.driver.memcpyDtoHAsync, target, source.address, source.bytes, stream);
}

void CudaStream::copy(const DeviceRange &target, const DeviceRange &source) {
  CudaContext::Current current = context.enter();
  const Use written = use(target), read = use(source);
  context.call(context.driver.memcpyDtoDAsync, target.address, source.address, source.bytes,
               stream);
}

void CudaStream::copyToPeer(const DeviceRange &target, const DeviceRange &source) {
  CudaContext::Current current = context.enter();
  const Use written = use(target), read = use(source);
  const CuContext peer = static_cast<CudaContext &>(*target.memory->context).primary;
  // The driver does not capture a copy between contexts. With unified addressing, an ordinary copy
  // finds the devices by the addresses.
  if (peer == context.primary || isCapturing() || isCapturedByOthers())
    context.call(context.driver.memcpyDtoDAsync, target.address, source.address, source.bytes,
                 stream);
  else // the driver copies through the host if the devices cannot access each other
    context.call(context.driver.memcpyPeerAsync, target.address, peer, source.address,
                 context.primary, source.bytes, stream);
}

template <typename T> static T readAs(const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

void CudaStream::fill(const DeviceRange &target, const void *element, std::size_t elementBytes) {
  CudaContext::Current current = context.enter();
  const Use written = use(target);
  const Driver &driver = context.driver;
  const std::size_t count = target.bytes / elementBytes;
  switch (elementBytes) {
  case 1:
    return context.call(driver.memsetD8Async, target.address, readAs<std::uint8_t>(element), count,
                        stream);
  case 2:
    return context.call(driver.memsetD16Async, target.address, readAs<std::uint16_t>(element),
                        count, stream);
  case 4:
    return context.call(driver.memsetD32Async, target.address, readAs<std::uint32_t>(element),
                        count, stream);
  }
  // The driver has no fill of 8 bytes. One element is set, then copies double the filled part until
  // the range is full.
  const auto bits = readAs<std::uint64_t>(element);
  const auto low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32);
  if (low == high)
    return context.call(driver.memsetD32Async, target.address, low, 2 * count, stream);
  context.call(driver.memsetD32Async, target.address, low, 1, stream);
  context.call(driver.memsetD32Async, target.address + 4, high, 1, stream);
  for (std::size_t done = elementBytes; done < target.bytes;) {
    const std::size_t step = std::min(done, target.bytes - done);
    context.call(driver.memcpyDtoDAsync, target.address + done, target.address, step, stream);
    done += step;
  }
}

/// Whether another library captures the stream, which is its own. Its graph may run at any time, so
/// launches in it have a null record.
bool CudaStream::isCapturedByOthers() const {
  if (!opened->isWrapped || !context.driver.streamGetCaptureInfo)
    return false;
  int status = 0;
  std::uint64_t id = 0;
  CuGraph captured = nullptr;
  const CuGraphNode *last = nullptr;
  std::size_t count = 0;
  context.call(context.driver.streamGetCaptureInfo, stream, &status, &id, &captured, &last, &count);
  return status != 0;
}

/// Clears the counter of a launch that follows. \p record is null in a graph of another library,
/// whose runs would share a counter.
void CudaStream::clearCounter(const LaunchRequest &request, const FaultRecord *record) {
  if (!record)
    context.fail({.code = ErrorCode::UnsupportedOnTarget,
                  .message = "launch of " + request.module->kernels[request.kernel].name() +
                             ": it has a grid barrier, and another library captures the stream",
                  .hint = "capture it with Stream::capture, or launch it outside of the graph"});
  context.call(context.driver.memsetD32Async, record->counterAddress(), 0u, std::size_t{1}, stream);
}

/// The end of the message if memory is short for a launch. The driver allocates local memory for
/// all work-items that the device can hold at once. Empty if the kernel uses none.
static std::string localMemory(const BackendModule &module, std::size_t kernel,
                               const DeviceInfo &device) {
  const std::int64_t bytes = module.attributes(kernel).localBytes;
  const std::int64_t items = device.limits.unitSize * device.computeUnits;
  if (bytes == 0)
    return "";
  return "; its local memory takes " + std::to_string(bytes) + " bytes for each of the " +
         std::to_string(items) + " work-items that the device holds at once, " +
         std::to_string(bytes * items) + " bytes in total";
}

void CudaStream::launch(const LaunchRequest &request) {
  CudaContext::Current current = context.enter();
  const Use used = use(request);
  const bool inGraph = isCapturing(), atOnce = isCooperative(*request.module, request.kernel);
  std::shared_ptr<FaultRecord> record;
  if (!inGraph && takesFaultRecord(*request.module, request.kernel) && !isCapturedByOthers()) {
    record = context.makeFaultRecord(atOnce);
    describe(*record, *request.module, request.kernel, request.geometry);
  }
  CuGraphNode clearing = nullptr;
  if (atOnce && inGraph)
    clearing = static_cast<CudaGraph &>(graph()).addCounter(stream);
  else if (atOnce)
    clearCounter(request, record.get());
  const KernelParams params(request, inGraph, record.get());
  CuResult result{};
  if (atOnce)
    result = context.driver.launchCooperativeKernel(
        params->function, params->gridX, params->gridY, params->gridZ, params->blockX,
        params->blockY, params->blockZ, params->sharedBytes, stream, params->params);
  else
    result = context.driver.launchKernel(
        params->function, params->gridX, params->gridY, params->gridZ, params->blockX,
        params->blockY, params->blockZ, params->sharedBytes, stream, params->params, params->extra);
  if (result != CuResult::Success) // the text takes memory, which a launch does not
    context.check(result,
                  atOnce ? context.driver.launchCooperativeKernel.name
                         : context.driver.launchKernel.name,
                  ", launching " + request.module->kernels[request.kernel].name() +
                      (result == CuResult::OutOfMemory
                           ? localMemory(*request.module, request.kernel, context.info)
                           : ""));
  if (inGraph)
    static_cast<CudaGraph &>(graph()).addLaunch(stream, request, clearing);
  else if (record)
    context.faults->enqueued(stream, cudaWork().faultQueue,
                             std::make_shared<const FaultRecordSet>(1, std::move(record)));
}

void CudaStream::launch(const std::shared_ptr<BackendGraphExec> &graph) {
  CudaContext::Current current = context.enter();
  use(*graph);
  auto &exec = static_cast<CudaGraphExec &>(*graph);
  if (!exec.faultRecords()->empty()) // before its functions, which a fault of the run skips
    context.faults->enqueued(stream, cudaWork().faultQueue, exec.faultRecords());
  const bool calls = !exec.calls->isEmpty();
  if (calls) {
    exec.calls->beginRun(work->errors->add());
    cudaWork().keep(exec.calls);
  }
  try {
    context.call(context.driver.graphLaunch, exec.handle(), stream);
  } catch (...) {
    if (calls)
      exec.calls->cancelRun();
    throw;
  }
  use(*graph); // after the operation, as the destructor of Use does
}

void CudaStream::call(std::function<void()> function) {
  CudaContext::Current current = context.enter();
  noteWork();
  HostCalls *owner = nullptr;
  WorkPlace place;
  if (isCapturing()) {
    owner = static_cast<CudaGraph &>(graph()).calls.get();
  } else {
    owner = cudaWork().calls.get();
    owner->endOver();
    place = work->errors->add();
  }
  HostCalls::Call *added = owner->add(std::move(function), place);
  try {
    context.call(context.driver.launchHostFunc, stream, &HostCalls::run, added);
  } catch (...) {
    owner->remove(added);
    if (place.scope)
      StreamErrors::finish(place);
    throw;
  }
}

bool CudaStream::query() {
  CudaContext::Current current = context.enter();
  const CuResult result = context.driver.streamQuery(stream);
  if (result == CuResult::NotReady)
    return false;
  context.check(result, context.driver.streamQuery.name);
  return true;
}

void CudaStream::doRecord(BackendEvent &event) {
  CudaContext::Current current = context.enter();
  auto &point = static_cast<CudaEvent &>(event);
  context.call(context.driver.eventRecord, point.handle(), stream);
  if (!isCapturing())
    point.follow(cudaWork());
}

void CudaStream::doWait(BackendEvent &event) {
  CudaContext::Current current = context.enter();
  if (!isCapturing() && !event.capture.expired()) // the stream is about to join a capture
    markBeforeCapture();
  static_cast<CudaEvent &>(event).showFaultsTo(*context.faults);
  context.call(context.driver.streamWaitEvent, stream, static_cast<CudaEvent &>(event).handle(),
               0u);
}

void CudaStream::markBeforeCapture() {
  constexpr unsigned withoutTime = 2;
  if (!opened->beforeCapture)
    context.call(context.driver.eventCreate, &opened->beforeCapture, withoutTime);
  context.call(context.driver.eventRecord, opened->beforeCapture, stream);
}

std::unique_ptr<BackendGraph> CudaStream::startCapture() {
  CudaContext::Current current = context.enter();
  // graphInstantiate needs the newest driver of all these functions. Its absence is reported before
  // the capture begins.
  context.driver.graphInstantiate.require();
  context.laterModules.load();
  markBeforeCapture();
  constexpr int relaxed = 2; // calls that do not concern the stream stay allowed
  auto graph = std::make_unique<CudaGraph>(context.self());
  std::unique_lock begin(context.captureBegin);
  context.call(context.driver.streamBeginCapture, stream, relaxed);
  return graph;
}

void CudaStream::finishCapture(BackendGraph &graph) {
  CudaContext::Current current = context.enter();
  static_cast<CudaGraph &>(graph).finish(stream);
}

} // namespace spl::detail

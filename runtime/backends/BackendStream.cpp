// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that streams of all backends share: marking the memory that operations use,
// waiting, and taking part in captures.
#include "runtime/backends/BackendStream.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/LaunchContract.h"
#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>

namespace spl::detail {

static std::size_t versionFor(const Signature &kernel, const Geometry &geometry,
                              const BoundArguments &arguments) {
  const LaunchContract *contract = kernel.launchContract();
  return contract ? contract->version(arguments.params(), geometry) : abi::Contract::Checked;
}

/// Throws if the kernel has a grid barrier and the device cannot run all groups of the launch at
/// once.
static void requireAtOnce(const BackendModule &module, std::size_t kernel,
                          const Geometry &geometry) {
  if (!module.kernels[kernel].isCooperative())
    return;
  const auto &[x, y, z] = geometry.numGroups;
  const std::int64_t groups = x * y * z;
  const auto &[width, height, depth] = geometry.localSize;
  const CooperativeLimit limit =
      module.cooperativeLimit(kernel, width * height * depth, geometry.sharedBytes);
  if (groups <= limit.groups)
    return;
  const std::string most = std::to_string(limit.groups);
  throw Error(
      {.code = ErrorCode::LaunchRefused,
       .message = "launch of " + module.kernels[kernel].name() + ": it has " +
                  std::to_string(groups) + " groups, and a kernel with a grid barrier at most " +
                  most + ", which run at once (" + limit.reason + ")",
       .context = module.context->describe(),
       .hint = limit.groups == 0 ? "use smaller groups, or less shared memory"
                                 : "launch at most " + most +
                                       " groups, and let each work-item do several elements"});
}

LaunchRequest::LaunchRequest(const std::shared_ptr<const BackendModule> &module, std::size_t kernel,
                             const Geometry &geometry, const BoundArguments &arguments)
    : module(module), kernel(kernel), geometry(geometry), arguments(arguments),
      version(versionFor(module->kernels[kernel], geometry, arguments)) {
  requireAtOnce(*module, kernel, geometry);
  if (geometry.timeLimit.count() == 0)
    return;
  if (const std::optional<NoTimeLimit> cannot = module->noTimeLimit(kernel))
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "launch of " + module->kernels[kernel].name() +
                            ": it has a time limit, and " + cannot->reason,
                 .context = module->context->describe(),
                 .hint = cannot->hint});
}

void BackendStream::Use::mark() const {
  if (stream)
    for (const std::shared_ptr<Allocation> &each : memory)
      each->usedBy(stream->work);
}

BackendStream::Use::~Use() {
  try {
    mark();
  } catch (...) { // no memory for the mark, so wait for the work instead
    try {
      stream->work->wait();
    } catch (...) {
      stream->work->finish();
    }
  }
}

BackendStream::Use BackendStream::use(const DeviceRange &range) {
  noteWork();
  if (!capture)
    return {work ? this : nullptr, {&range.memory, 1}};
  std::vector<std::shared_ptr<Allocation>> &kept = graph().memory;
  if (std::find(kept.begin(), kept.end(), range.memory) == kept.end())
    kept.push_back(range.memory);
  return {nullptr, {}};
}

BackendStream::Use BackendStream::use(const LaunchRequest &request) {
  noteWork();
  const Use::Memory memory = request.arguments.memory();
  if (!capture)
    return {work ? this : nullptr, memory};
  graph().launches.push_back(
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
  if (capture)
    capture->noteWork(*this);
}

void BackendEvent::sync() {
  wait();
  TakenErrors taken;
  taken.take(place);
  taken.rethrow();
}

void BackendStream::sync() {
  if (work)
    work->sync();
}

void BackendStream::record(BackendEvent &event) {
  doRecord(event);
  event.isRecorded = !capture;
  event.place = work && !capture ? work->errors->now() : WorkPlace();
  event.wasCaptured = capture != nullptr;
  event.capture = capture;
  event.before = capture ? capture->clockOf(*this) : CaptureClock();
}

void BackendStream::wait(BackendEvent &event) {
  const std::shared_ptr<Capture> ofEvent = event.capture.lock();
  if (event.wasCaptured && !ofEvent)
    refuse("wait: the event was recorded while a graph was captured, which is over",
           "record it again");
  if (capture && capture != ofEvent)
    refuse("wait: the event was not recorded in the capture that the stream takes part in",
           "wait before the capture, or record the event in it");
  if (!ofEvent) {
    if (work) {
      doWait(event);
      work->errors->follow(event.place);
    } else if (event.isRecorded) {
      event.sync(); // the next operation is done when it returns
    }
    return;
  }
  if (capture)
    doWait(event);
  else
    ofEvent->join(shared_from_this(), [&] { doWait(event); });
  ofEvent->noteWait(*this, event.before);
}

void BackendStream::beginCapture() {
  if (capture)
    refuse("capture: the stream already takes part in one", "end that first");
  std::make_shared<Capture>(*this)->begin([this] { return startCapture(); });
}

std::unique_ptr<BackendGraph> BackendStream::endCapture() {
  const std::shared_ptr<Capture> ended = capture; // end() resets the streams' pointers
  return ended->end([this](BackendGraph &graph) { finishCapture(graph); });
}

void BackendStream::dropCapture() noexcept {
  const std::shared_ptr<Capture> ended = capture;
  ended->drop([this](BackendGraph &graph) { finishCapture(graph); });
}

} // namespace spl::detail

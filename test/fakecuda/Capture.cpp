// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures of streams into graphs.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

CuResult Call::captureWork(Stream &stream, Work work) {
  Capture &capture = *stream.capture;
  if (capture.isInvalid)
    return give(CaptureInvalidated);
  Node node;
  node.handle = static_cast<CuGraphNode>(newHandle());
  node.work = std::make_shared<const Work>(std::move(work));
  node.dependencies = stream.tails;
  stream.tails = {node.handle};
  capture.graph->nodes.push_back(std::move(node));
  return CuResult::Success;
}

void State::end(const std::shared_ptr<Capture> &capture) {
  capture->isOver = true;
  for (const std::shared_ptr<Stream> &stream : capture->graph->context->streams)
    if (stream->capture == capture) {
      stream->capture.reset();
      stream->tails.clear();
    }
  std::erase(captures, capture);
}

/// Whether the stream in which the capture began depends on all captured nodes.
static bool isJoined(const Capture &capture, const Stream &origin) {
  std::set<CuGraphNode> before(origin.tails.begin(), origin.tails.end());
  const std::vector<Node> &nodes = capture.graph->nodes;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    if (before.count(node->handle))
      before.insert(node->dependencies.begin(), node->dependencies.end());
  return before.size() == nodes.size();
}

thread_local int spl::fake::captureModeOfThread = 0; // global

extern "C" {

CuResult cuStreamBeginCapture_v2(CuStream handle, int mode) {
  return enter("cuStreamBeginCapture", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = call.stream(handle);
    if (!stream)
      return give(InvalidHandle);
    if (!handle) // the default stream cannot be captured
      return give(CaptureUnsupported);
    if (mode < 0 || mode > 2)
      return call.misuse("in an unknown mode");
    if (stream->capture)
      return give(IllegalState);
    auto graph = std::make_shared<Graph>();
    graph->context = call.sharedContext();
    stream->capture = std::make_shared<Capture>(
        Capture{graph, mode, std::this_thread::get_id(), stream.get(), ++state().captureCount});
    stream->tails.clear();
    state().captures.push_back(stream->capture);
    return CuResult::Success;
  });
}

CuResult cuThreadExchangeStreamCaptureMode(int *mode) {
  return enter("cuThreadExchangeStreamCaptureMode", Plain, [&](Call &call) -> CuResult {
    if (*mode < 0 || *mode > 2)
      return call.misuse("to an unknown mode");
    std::swap(*mode, captureModeOfThread);
    return CuResult::Success;
  });
}

CuResult cuStreamEndCapture(CuStream handle, CuGraph *graph) {
  return enter("cuStreamEndCapture", InContext | Releases, [&](Call &call) -> CuResult {
    *graph = nullptr;
    const std::shared_ptr<Stream> stream = call.stream(handle);
    if (!stream)
      return give(InvalidHandle);
    const std::shared_ptr<Capture> capture = stream->capture;
    if (!capture)
      return give(IllegalState);
    if (capture->origin != stream.get())
      return call.invalidate(*capture, CaptureUnmatched);
    if (capture->mode != 2 && capture->thread != std::this_thread::get_id())
      return give(CaptureWrongThread);
    CuResult result = CuResult::Success;
    if (capture->isInvalid)
      result = give(CaptureInvalidated);
    else if (!isJoined(*capture, *stream))
      result = give(CaptureUnjoined);
    state().end(capture);
    // A call that a test makes fail returns no graph.
    if (result == CuResult::Success && call.forced == CuResult::Success)
      *graph = state().graphs.add(capture->graph);
    state().count();
    return result;
  });
}

CuResult cuStreamGetCaptureInfo_v2(CuStream handle, int *status, std::uint64_t *id, CuGraph *graph,
                                   const CuGraphNode **dependencies, std::size_t *count) {
  return enter("cuStreamGetCaptureInfo", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = call.stream(handle);
    if (!stream)
      return give(InvalidHandle);
    const Capture *capture = stream->capture.get();
    *status = !capture ? 0 : capture->isInvalid ? 2 : 1;
    if (*status != 1)
      return CuResult::Success;
    if (id)
      *id = capture->id;
    if (graph)
      *graph = nullptr; // the graph gets its handle when the capture ends
    if (dependencies)
      *dependencies = stream->tails.data();
    if (count)
      *count = stream->tails.size();
    return CuResult::Success;
  });
}

} // extern "C"

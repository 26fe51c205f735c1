// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, and host functions in streams.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

extern "C" {

CuResult cuStreamCreateWithPriority(CuStream *stream, unsigned flags, int priority) {
  return enter("cuStreamCreateWithPriority", InContext, [&](Call &call) -> CuResult {
    constexpr unsigned nonBlocking = 1;
    if (flags > nonBlocking)
      return call.misuse("with unknown flags");
    auto made = std::make_shared<Stream>();
    made->context = &call.context();
    made->isBlocking = flags != nonBlocking;
    state().visible.priorities.push_back(priority);
    std::vector<std::shared_ptr<Stream>> &streams = call.context().streams;
    std::erase_if(streams, [](const std::shared_ptr<Stream> &each) {
      return each->isDestroyed && each->done == each->queued;
    });
    streams.push_back(made);
    *stream = state().streams.add(std::move(made));
    state().count();
    return CuResult::Success;
  });
}

CuResult cuStreamDestroy_v2(CuStream handle) {
  return enter("cuStreamDestroy", InContext | Releases, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = handle ? call.stream(handle) : nullptr;
    if (!stream)
      return call.misuse("of what cannot be destroyed", InvalidHandle);
    if (const std::shared_ptr<Capture> capture = stream->capture)
      state().end(capture);
    stream->isDestroyed = true; // its queued work still runs
    state().streams.erase(handle);
    state().count();
    return CuResult::Success;
  });
}

CuResult cuStreamSynchronize(CuStream handle) {
  return enter("cuStreamSynchronize", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = call.stream(handle);
    if (!stream)
      return give(InvalidHandle);
    if (stream->capture)
      return call.invalidate(*stream->capture, CaptureUnsupported);
    return call.waitFor(tailOf(stream));
  });
}

CuResult cuStreamGetCtx(CuStream handle, CuContext *context) {
  return enter("cuStreamGetCtx", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = state().streams.find(handle);
    if (handle && !stream)
      return give(InvalidHandle);
    const Context *owner = stream ? stream->context : &call.context();
    for (const auto &[name, each] : state().contexts)
      if (each.get() == owner)
        *context = name;
    return CuResult::Success;
  });
}

CuResult cuStreamQuery(CuStream handle) {
  return enter("cuStreamQuery", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = call.stream(handle);
    if (!stream)
      return give(InvalidHandle);
    if (stream->capture)
      return call.invalidate(*stream->capture, CaptureUnsupported);
    if (tailOf(stream).isDone())
      return CuResult::Success;
    // Each query runs one piece of work, so a loop of queries ends.
    poke(stream, call.lock);
    return call.context().lost != CuResult::Success ? call.context().lost : CuResult::NotReady;
  });
}

CuResult cuLaunchHostFunc(CuStream stream, void (*function)(void *), void *data) {
  return enter("cuLaunchHostFunc", InContext, [&](Call &call) -> CuResult {
    if (!function)
      return give(InvalidValue);
    return call.enqueue(stream, {CallWork{function, data}});
  });
}

} // extern "C"

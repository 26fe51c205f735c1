// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: points in streams, with the time at which the stream reached them.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

/// A stream that waits for an event of a capture becomes part of that capture.
static CuResult waitForCaptured(Call &call, Stream &stream, const Event &event) {
  if (event.capture->isOver)
    return call.misuse("for an event of a capture that is over", CapturedEvent);
  if (stream.capture && stream.capture != event.capture) {
    call.invalidate(*stream.capture, CaptureMerge);
    return call.invalidate(*event.capture, CaptureMerge);
  }
  stream.capture = event.capture;
  stream.tails.insert(stream.tails.end(), event.nodes.begin(), event.nodes.end());
  return CuResult::Success;
}

extern "C" {

CuResult cuEventCreate(CuEvent *event, unsigned flags) {
  return enter("cuEventCreate", InContext, [&](Call &call) -> CuResult {
    constexpr unsigned blockingSync = 1, disableTiming = 2;
    if (flags > (blockingSync | disableTiming))
      return call.misuse("with unknown flags");
    auto made = std::make_shared<Event>();
    made->context = call.sharedContext();
    made->isTimed = !(flags & disableTiming);
    *event = state().events.add(std::move(made));
    state().count();
    return CuResult::Success;
  });
}

CuResult cuEventDestroy_v2(CuEvent handle) {
  return enter("cuEventDestroy", InContext | Releases, [&](Call &call) -> CuResult {
    if (!call.event(handle))
      return give(InvalidHandle);
    state().events.erase(handle);
    state().count();
    return CuResult::Success;
  });
}

CuResult cuEventRecord(CuEvent handle, CuStream streamHandle) {
  return enter("cuEventRecord", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Event> event = call.event(handle);
    const std::shared_ptr<Stream> stream = call.stream(streamHandle);
    if (!event || !stream)
      return give(InvalidHandle);
    event->capture = stream->capture;
    event->nodes = stream->tails;
    event->point.reset();
    if (stream->capture)
      return stream->capture->isInvalid ? give(CaptureInvalidated) : CuResult::Success;
    event->time = std::make_shared<std::optional<std::chrono::steady_clock::time_point>>();
    const CuResult result = call.enqueue(streamHandle, {RecordWork{event->time}});
    event->point = tailOf(stream);
    return result;
  });
}

CuResult cuStreamWaitEvent(CuStream streamHandle, CuEvent handle, unsigned flags) {
  return enter("cuStreamWaitEvent", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Event> event = call.event(handle, /*ofAnyContext=*/true);
    const std::shared_ptr<Stream> stream = call.stream(streamHandle);
    if (!event || !stream)
      return give(InvalidHandle);
    if (flags != 0)
      return call.misuse("with unknown flags");
    if (event->capture)
      return waitForCaptured(call, *stream, *event);
    if (stream->capture)
      return call.invalidate(*stream->capture, CaptureIsolation);
    if (!event->point || event->point->isDone())
      return CuResult::Success;
    return call.enqueue(streamHandle, {WaitWork{*event->point}});
  });
}

CuResult cuEventSynchronize(CuEvent handle) {
  return enter("cuEventSynchronize", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Event> event = call.event(handle);
    if (!event)
      return give(InvalidHandle);
    if (event->capture)
      return call.invalidate(*event->capture, CapturedEvent);
    return event->point ? call.waitFor(*event->point) : CuResult::Success;
  });
}

CuResult cuEventQuery(CuEvent handle) {
  return enter("cuEventQuery", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Event> event = call.event(handle);
    if (!event)
      return give(InvalidHandle);
    if (event->capture)
      return call.invalidate(*event->capture, CapturedEvent);
    if (!event->point || event->point->isDone())
      return CuResult::Success;
    poke(event->point->stream, call.lock);
    return call.context().lost != CuResult::Success ? call.context().lost : CuResult::NotReady;
  });
}

CuResult cuEventElapsedTime(float *milliseconds, CuEvent startHandle, CuEvent endHandle) {
  return enter("cuEventElapsedTime", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Event> start = call.event(startHandle), end = call.event(endHandle);
    if (!start || !end || !start->point || !end->point || !start->isTimed || !end->isTimed)
      return give(InvalidHandle);
    if (!start->point->isDone() || !end->point->isDone())
      return CuResult::NotReady;
    if (!*start->time || !*end->time)
      return give(InvalidHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(**end->time - **start->time).count();
    return CuResult::Success;
  });
}

} // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/stream.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"

using namespace spl;
using namespace spl::capi;

extern "C" {

spl_status spl_stream_make(spl_context context, int32_t priority, spl_stream *stream) {
  return call([&] {
    given(stream, "stream");
    const auto in = object<ContextObject>(context);
    *stream = makeObject<StreamObject>(in->context.makeStream(priority));
  });
}

spl_status spl_stream_default(spl_context context, spl_stream *stream) {
  return call([&] {
    given(stream, "stream");
    *stream = makeObject<StreamObject>(object<ContextObject>(context)->context.defaultStream());
  });
}

spl_status spl_stream_sync(spl_stream stream) {
  return call([&] { object<StreamObject>(stream)->stream->sync(); });
}

spl_status spl_stream_query(spl_stream stream, int32_t *done) {
  return call([&] {
    given(done, "done");
    *done = object<StreamObject>(stream)->stream->query();
  });
}

spl_status spl_stream_record(spl_stream stream, spl_event event) {
  return call([&] {
    const auto in = object<StreamObject>(stream);
    in->stream->record(Sole<EventObject>(event)->event);
  });
}

spl_status spl_stream_wait(spl_stream stream, spl_event event) {
  return call([&] {
    const auto in = object<StreamObject>(stream);
    in->stream->wait(Sole<EventObject>(event)->event);
  });
}

spl_status spl_stream_call(spl_stream stream, spl_status (*function)(void *user), void *user) {
  return call([&] {
    const auto in = object<StreamObject>(stream);
    given(function, "function");
    in->stream->call(
        [function, user] { callBack("a function in a stream", [&] { return function(user); }); });
  });
}

spl_status spl_stream_free(spl_stream stream) {
  return call([&] { freeHandle<StreamObject>(stream); });
}

spl_status spl_event_make(spl_context context, spl_event *event) {
  return call([&] {
    given(event, "event");
    const auto in = object<ContextObject>(context);
    *event = makeHandle(std::make_shared<EventObject>(in->context.makeEvent()));
  });
}

spl_status spl_event_sync(spl_event event) {
  return call([&] { Sole<EventObject>(event)->event.sync(); });
}

spl_status spl_event_query(spl_event event, int32_t *done) {
  return call([&] {
    given(done, "done");
    *done = Sole<EventObject>(event)->event.query();
  });
}

spl_status spl_event_elapsed_ms(spl_event event, spl_event start, double *ms) {
  return call([&] {
    given(ms, "ms");
    if (event == start)
      refuse("'event' and 'start' are the same event");
    const Sole<EventObject> from(start), to(event);
    *ms = static_cast<double>(to->event.elapsedMs(from->event));
  });
}

spl_status spl_event_free(spl_event event) {
  return call([&] { freeHandle<EventObject>(event); });
}

} // extern "C"

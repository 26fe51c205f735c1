// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/stream.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"

using namespace spl;
using namespace spl::capi;

thread_local std::list<StreamUse> *capi::capturedStreams = nullptr;

StreamUse::StreamUse(std::uint64_t handle, Access given)
    : held(object<StreamObject>(handle)), access(given) {
  const std::thread::id self = std::this_thread::get_id();
  if (held->owner == self) {
    held->claims += access == Exclusive;
    return;
  }
  int users = held->users;
  do
    if (users < 0 || (access == Exclusive && users > 0))
      refuseBusy(HandleKind::Stream);
  while (!held->users.compare_exchange_weak(users, access == Exclusive ? -1 : users + 1));
  isCounted = access == Shared;
  if (access == Exclusive) {
    held->owner = self;
    held->claims = 1;
  }
}

StreamUse::~StreamUse() {
  if (isCounted)
    --held->users;
  if (access == Shared || --held->claims > 0)
    return;
  held->owner = std::thread::id();
  held->users = 0;
}

extern "C" {

spl_status spl_stream_make(spl_context context, int32_t priority, spl_stream *stream) {
  return call([&] {
    requirePointer(stream, "stream");
    const auto in = object<ContextObject>(context);
    *stream = makeObject<StreamObject>(in->context.makeStream(priority));
  });
}

spl_status spl_stream_wrap(spl_context context, uint64_t native, void (*release)(void *user),
                           void *user, spl_stream *stream) {
  return call([&] {
    requirePointer(stream, "stream");
    const auto in = object<ContextObject>(context);
    const auto atEnd = std::make_shared<CReleaseFunction>(release, user);
    *stream = makeObject<StreamObject>(in->context.wrapStream(native, [atEnd] { atEnd->call(); }));
    atEnd->arm();
  });
}

spl_status spl_stream_default(spl_context context, spl_stream *stream) {
  return call([&] {
    requirePointer(stream, "stream");
    *stream = makeObject<StreamObject>(object<ContextObject>(context)->context.defaultStream());
  });
}

spl_status spl_stream_native(spl_stream stream, uint64_t *native) {
  return call([&] {
    requirePointer(native, "native");
    *native = StreamUse(stream)->native();
  });
}

spl_status spl_stream_sync(spl_stream stream) {
  return call([&] { StreamUse(stream)->sync(); });
}

spl_status spl_stream_query(spl_stream stream, int32_t *done) {
  return call([&] {
    requirePointer(done, "done");
    *done = StreamUse(stream)->query();
  });
}

spl_status spl_stream_record(spl_stream stream, spl_event event) {
  return call([&] {
    const StreamUse in(stream);
    in->record(ExclusiveUse<EventObject>(event)->event);
  });
}

spl_status spl_stream_wait(spl_stream stream, spl_event event) {
  return call([&] {
    if (!capturedStreams)
      return StreamUse(stream)->wait(ExclusiveUse<EventObject>(event)->event);
    // The stream may join the capture.
    std::list<StreamUse> joining;
    joining.emplace_back(stream, StreamUse::Exclusive);
    joining.front()->wait(ExclusiveUse<EventObject>(event)->event);
    capturedStreams->splice(capturedStreams->end(), joining);
  });
}

spl_status spl_stream_call(spl_stream stream, spl_status (*function)(void *user), void *user) {
  return call([&] {
    const StreamUse in(stream);
    requirePointer(function, "function");
    in->call(
        [function, user] { callBack("a function in a stream", [&] { return function(user); }); });
  });
}

spl_status spl_stream_free(spl_stream stream) {
  return call([&] { freeHandle<StreamObject>(stream); });
}

spl_status spl_event_make(spl_context context, spl_event *event) {
  return call([&] {
    requirePointer(event, "event");
    const auto in = object<ContextObject>(context);
    *event = makeHandle(std::make_shared<EventObject>(in->context.makeEvent()));
  });
}

spl_status spl_event_sync(spl_event event) {
  return call([&] { ExclusiveUse<EventObject>(event)->event.sync(); });
}

spl_status spl_event_query(spl_event event, int32_t *done) {
  return call([&] {
    requirePointer(done, "done");
    *done = ExclusiveUse<EventObject>(event)->event.query();
  });
}

spl_status spl_event_elapsed_ms(spl_event event, spl_event start, double *ms) {
  return call([&] {
    requirePointer(ms, "ms");
    if (event == start)
      refuse("'event' and 'start' are the same event");
    const ExclusiveUse<EventObject> from(start), to(event);
    *ms = static_cast<double>(to->event.elapsedMs(from->event));
  });
}

spl_status spl_event_free(spl_event event) {
  return call([&] { freeHandle<EventObject>(event); });
}

} // extern "C"

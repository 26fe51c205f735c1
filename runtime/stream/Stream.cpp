// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Stream.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/system/Checks.h"
#include "spl/Context.h"
#include "spl/Error.h"

namespace spl {

using detail::refuse;

Stream Context::makeStream(int priority) const {
  if (priority < 0)
    refuse("makeStream: the priority is " + std::to_string(priority), "0 is the lowest");
  return Stream(opened, usable().makeStream(priority));
}

Stream Context::wrapStream(std::uint64_t native, std::function<void()> release) const {
  return Stream(opened, usable().wrapStream(native, std::move(release)));
}

Stream Context::defaultStream() const { return Stream(opened, usable().defaultStream()); }

const std::shared_ptr<detail::BackendStream> &Stream::backend() const {
  if (!stream)
    refuse("the stream was moved from");
  opened->requireMakingProcess();
  return stream;
}

std::uint64_t Stream::native() const { return backend()->native(); }

/// Throws InvalidArgument during a capture of the stream, because the call would make the driver
/// end the capture.
static detail::BackendStream &notCapturing(const Stream &stream, const char *call) {
  if (stream.backend()->isCapturing())
    refuse(std::string(call) + ": the stream is being captured; nothing of its work runs yet",
           "wait for the graph's launch");
  return *stream.backend();
}

void Stream::sync() const { notCapturing(*this, "sync").sync(); }

bool Stream::query() const { return notCapturing(*this, "query").query(); }

/// Throws InvalidArgument unless both backends are the same. CUDA can wait for events of its other
/// devices, but not for events of other backends.
static void requireSameBackend(const Stream &stream, const detail::BackendContext &other) {
  if (stream.context()->info.backend != other.info.backend)
    refuse("wait: the event belongs to another backend, on " + other.describe(),
           "wait for it on the host, with its sync");
}

void Stream::record(Event &event) const {
  backend();
  event.usable();
  if (event.opened != opened)
    refuse("record: the event belongs to another context, on " + event.opened->describe(),
           "use an event of the stream's context");
  stream->record(*event.event);
}

void Stream::wait(const Event &event) const {
  backend();
  event.usable();
  requireSameBackend(*this, *event.opened);
  if (event.event->wasCaptured && stream == opened->defaultStream())
    refuse("wait: the event was recorded while a graph was captured, where the default stream "
           "takes no part",
           "wait for it in a stream of makeStream");
  stream->wait(*event.event);
}

void Stream::call(std::function<void()> function) const {
  backend();
  if (!function)
    refuse("call: there is no function");
  stream->call(std::move(function));
}

Event Context::makeEvent() const { return Event(opened, usable().makeEvent()); }

Event::Event(std::shared_ptr<detail::BackendContext> opened,
             std::unique_ptr<detail::BackendEvent> event)
    : opened(std::move(opened)), event(std::move(event)) {}
Event::Event(Event &&) noexcept = default;
Event &Event::operator=(Event &&) noexcept = default;
Event::~Event() = default;

detail::BackendEvent &Event::usable() const {
  if (!event)
    refuse("the event was moved from");
  opened->requireMakingProcess(); // in a child process no thread would reach the event
  return *event;
}

/// Throws InvalidArgument for an event that was recorded in a capture, because it has no time.
static void requireOutsideCapture(const detail::BackendEvent &event, const char *call) {
  if (!event.capture.expired())
    refuse(std::string(call) + ": the event was recorded while a graph was captured",
           "record it in a stream that runs");
}

void Event::sync() const {
  requireOutsideCapture(usable(), "sync");
  if (event->isRecorded)
    event->sync();
}

bool Event::query() const {
  requireOutsideCapture(usable(), "query");
  return !event->isRecorded || event->query();
}

float Event::elapsedMs(const Event &start) const {
  auto requireDone = [](const Event &event, const std::string &which) {
    if (!event.usable().isRecorded)
      refuse("elapsedMs: the " + which + " event was not recorded", "record it in a stream first");
    if (!event.event->query())
      refuse("elapsedMs: the " + which + " event is not done yet", "sync it first");
  };
  requireDone(start, "start");
  requireDone(*this, "end");
  if (opened != start.opened)
    refuse("elapsedMs: the events belong to two contexts");
  return event->millisecondsSince(*start.event);
}

} // namespace spl

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Streams, which are queues of work, and events, which are points in them. The operations of one
/// stream run in the order of the calls. Operations of different streams may run at the same time,
/// unless one stream waits for an event of the other. Both classes are move-only, and an object is
/// used from one thread at a time.
///
/// An operation fails if its kernel faults or its host function throws. Its error is asynchronous:
///
/// - The operations behind it are skipped: those enqueued later in the same stream, and those of
///   every stream that waits for an event recorded behind it. Other streams go on.
/// - The next call that waits for the work throws the error: sync of the stream, of the context or
///   of an event behind the operation, or a transfer that waits for an array that the stream used.
/// - An exception that is not an Error is thrown as CallbackFailed; Error::origin() holds it.
/// - Error::skipped() counts the operations that were skipped so far. If the wait meets several
///   errors, it throws the first, and Error::others() counts the rest.
///
/// Such a wait takes the error, in all streams whose work it has waited for. Operations enqueued
/// before the wait stay skipped; operations enqueued after it run. If operations of another stream
/// were skipped and the wait did not cover that stream, the next wait for it throws the error too.
/// Context::sync throws the errors of streams that have ended.
///
/// - An event recorded behind a failed operation counts as reached: query returns true, and sync
///   throws the error, once.
/// - A graph is one operation. If a part of it fails, the rest of that run is skipped.
/// - The default stream of the CPU throws at once and skips nothing. If it waits for an event, it
///   blocks the host and throws the error of the work before the event.
/// - On CUDA a kernel's fault is sticky: it ends the context, nothing of any of its streams runs
///   any more, and every call that uses the device throws it. After a host function that threw,
///   host functions are skipped, also those of graphs; kernels, fills and transfers that were
///   enqueued behind it run. skipped() counts host functions, and graphs that contain some.
#ifndef SPL_STREAM_H
#define SPL_STREAM_H

#include <spl/Cxx20.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace spl {

class Context;
class Event;

namespace detail {
class BackendContext;
class BackendEvent;
class BackendStream;
} // namespace detail

/// A queue of work of one context. Made by Context::makeStream, or from another library's stream by
/// Context::wrapStream. Its destructor lets the enqueued work run to its end:
///
/// - On the CPU the destructor waits for all work, except inside a host function of a stream.
/// - On CUDA it waits only if host functions (call) are enqueued that have not run yet.
/// - A stream that takes part in a capture lives until the capture ends.
class Stream {
public:
  Stream(Stream &&) noexcept = default;
  Stream &operator=(Stream &&) noexcept = default;

  /// Waits for all work of the stream; throws its asynchronous error.
  void sync() const;

  /// Returns whether all work is done or was skipped.
  bool query() const;

  /// Makes \p event the point after the work so far. Replaces the event's earlier point.
  void record(Event &event) const;

  /// Operations enqueued from now on run after \p event. An event that was never recorded has no
  /// effect. An event that was recorded during a capture makes this stream take part in the
  /// capture; this is InvalidArgument for the default stream, and once the capture is over.
  void wait(const Event &event) const;

  /// Runs \p function on a thread of the runtime, after the work so far; later work waits for it.
  /// If the function throws, the operation has failed.
  ///
  /// - On CUDA the function must not call this library. Functions of different streams may run one
  ///   after another.
  /// - On the CPU it must not wait for its own stream; that is InvalidArgument.
  /// - The function object is destroyed after it has run; on CUDA in the next call that waits for
  ///   the stream or enqueues a function.
  void call(std::function<void()> function) const;

  /// The driver's stream, for other CUDA libraries: a CUstream (cudaStream_t) as a number, 0 for
  /// the default stream; 0 on the CPU. It is valid as long as this object. Work that other
  /// libraries enqueue there runs in order, but arrays do not know of it: sync the stream, or wait
  /// for an event of it, before a transfer without a stream.
  std::uint64_t native() const;

  /// For the runtime itself.
  const std::shared_ptr<detail::BackendStream> &backend() const;
  const std::shared_ptr<detail::BackendContext> &context() const { return opened; }

private:
  friend class Context;
  Stream(std::shared_ptr<detail::BackendContext> opened,
         std::shared_ptr<detail::BackendStream> stream)
      : opened(std::move(opened)), stream(std::move(stream)) {}

  std::shared_ptr<detail::BackendContext> opened;
  std::shared_ptr<detail::BackendStream> stream;
};

/// A point in a stream's work. Made by Context::makeEvent.
class Event {
public:
  Event(Event &&) noexcept;
  Event &operator=(Event &&) noexcept;
  ~Event();

  /// Waits until the work before the event is done or was skipped; throws its asynchronous error.
  /// An event that was never recorded is done.
  void sync() const;
  /// Returns whether the work before the event is done or was skipped.
  bool query() const;

  /// The time from \p start to this event in milliseconds, measured by the device. Throws
  /// InvalidArgument if either event was not recorded, is not done yet, or was recorded during a
  /// capture.
  float elapsedMs(const Event &start) const;

private:
  friend class Context;
  friend class Stream;
  Event(std::shared_ptr<detail::BackendContext> opened,
        std::unique_ptr<detail::BackendEvent> event);

  detail::BackendEvent &usable() const;

  std::shared_ptr<detail::BackendContext> opened;
  std::unique_ptr<detail::BackendEvent> event;
};

} // namespace spl

#endif

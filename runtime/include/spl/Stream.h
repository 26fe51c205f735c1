// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A stream is a queue of operations. An event is a point in a stream. The operations of one stream
/// run in the order of the calls. Operations of different streams may run at the same time, unless
/// one stream waits for an event of the other. Both classes are move-only, and only one thread at a
/// time may use an object.
///
/// An operation fails if its kernel faults or its host function throws. Its error is asynchronous:
///
/// - Operations that follow the failed one are skipped: those enqueued later in the same stream,
///   and those of every stream that waits for an event recorded after it. Other streams continue.
/// - The next call that waits for the work throws the error. Such a call is a sync of the stream,
///   of the context or of an event recorded after the operation, or a transfer that waits for an
///   array that the stream used.
/// - An exception of a host function that is not an Error is thrown as CallbackFailed.
///   Error::origin() holds the exception itself.
/// - Error::skipped() is the number of operations that were skipped so far. If a call waits for
///   work with several errors, it throws the first, and Error::others() is the number of the rest.
///
/// The call that throws the error clears it in all streams that it has waited for. Operations
/// enqueued before that call stay skipped; operations enqueued after it run. If the error also
/// skipped operations of a stream that the call did not wait for, the next wait for that stream
/// throws the error too. Context::sync throws the errors of streams that were destroyed.
///
/// - An event recorded after a failed operation counts as reached: query returns true, and sync
///   throws the error once.
/// - A run of a graph is one operation. If a part of it fails, the rest of that run is skipped.
/// - On the CPU, operations of the default stream run during the call, throw at once and skip
///   nothing. When the default stream waits for an event, the call blocks and throws the error of
///   the work before the event.
/// - On CUDA a kernel's fault is sticky. No operation of any stream of the context runs afterwards,
///   and every call that uses the device throws the error.
/// - On CUDA an exception of a host function skips only later host functions, including those in
///   graphs. Later kernels, fills and transfers run. skipped() is the number of skipped host
///   functions and of graphs that contain some.
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

/// A queue of operations of one context. Made by Context::makeStream, or from another library's
/// stream by Context::wrapStream. The destructor does not cancel enqueued work:
///
/// - On the CPU the destructor waits for all work, except inside a host function of a stream.
/// - On CUDA it waits only if host functions (call) are enqueued that have not run yet.
/// - A stream that takes part in a capture stays open until the capture ends.
class Stream {
public:
  Stream(Stream &&) noexcept = default;
  Stream &operator=(Stream &&) noexcept = default;

  /// Waits for all work of the stream; throws its asynchronous error.
  void sync() const;

  /// Returns whether all work is done or was skipped.
  bool query() const;

  /// Records \p event after the work that is enqueued so far. Replaces the event's earlier point.
  void record(Event &event) const;

  /// Makes this stream wait for \p event: operations that are enqueued after this call run after
  /// the event. An event that was never recorded has no effect. If the event was recorded during a
  /// capture, this stream takes part in the capture. Such an event throws InvalidArgument for the
  /// default stream, or if the capture is over.
  void wait(const Event &event) const;

  /// Runs \p function on a thread of the runtime, after the work that is enqueued so far. Later
  /// work waits for it. If the function throws, the operation has failed.
  ///
  /// - On CUDA the function must not call this library. Functions of different streams may run one
  ///   after another.
  /// - On the CPU a function that waits for its own stream gets InvalidArgument.
  /// - The function object is destroyed after it has run. On CUDA this happens in the next call
  ///   that waits for the stream or enqueues a function.
  void call(std::function<void()> function) const;

  /// The driver's stream for other CUDA libraries: a CUstream (cudaStream_t) as a number. It is 0
  /// for the default stream and on the CPU. It is valid as long as this object. Work that other
  /// libraries enqueue there runs in order, but a transfer without a stream does not wait for it.
  /// Sync the stream or an event of it before such a transfer.
  std::uint64_t native() const;

  /// Only for use by the runtime.
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

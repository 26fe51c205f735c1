// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Queues of work and points in them. The work of one stream runs in the order it was given; that
/// of different streams runs at the same time, unless one waits for an event of another. Both are
/// move-only and used from one thread at a time.
///
/// When an operation fails, because a kernel faults or a function of the host throws, the
/// operations behind it are skipped: those that were given later to the same stream, and those of
/// every stream that waits for an event recorded behind it. Other streams go on.
///
/// The failure is thrown as an Error by the next call that waits for the work: sync of the stream,
/// of the context or of an event behind the failure, or a transfer that waits for an array that the
/// stream used. An exception that is not an Error is thrown as CallbackFailed; Error::origin() has
/// it as it was. Error::skipped() counts the operations that were given so far and skipped; where
/// the wait meets several failures, the first is thrown and Error::others() counts the rest.
///
/// Such a wait takes the failure, in all streams whose work it has waited for. What was given
/// before stays skipped, also if its turn comes later; what is given afterwards runs. If work
/// of a stream was skipped and no such wait covered the stream, its own next wait throws the
/// failure. Context::sync throws the failures of streams that have ended.
///
/// - An event behind a failure is reached: query returns true, and sync throws the failure, once.
/// - A graph is one operation. When a part of it fails, the rest of that run is skipped.
/// - The default stream of the CPU throws at once and skips nothing. Its wait for an event waits on
///   the host and throws what failed before the event.
/// - On CUDA a kernel's fault ends the context: nothing of any of its streams runs any more, and
///   every call that reaches the device says so. After a function that threw, functions are
///   skipped, also those of graphs; kernels, fills and transfers that the driver was given behind
///   it run. skipped() counts functions, and graphs that have some.
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

/// A queue of work of one context. Made by Context::makeStream, or one of others from
/// Context::wrapStream. When it ends, its work still runs. Its end waits for all of it on the CPU,
/// and on CUDA where functions of the host (call) are among it that have not run yet; arrays,
/// events and graphs that were used in it do not change that. A stream that takes part in a capture
/// ends with the capture; on the CPU, an end inside a function of a stream does not wait.
class Stream {
public:
  Stream(Stream &&) noexcept = default;
  Stream &operator=(Stream &&) noexcept = default;

  /// Waits for all of its work; throws what that left as an error.
  void sync() const;

  /// Whether all of its work is done or skipped.
  bool query() const;

  /// Puts a point after the work so far; replaces what \p event stood for.
  void record(Event &event) const;

  /// What is given to this stream from now on runs after \p event. One that was never recorded
  /// holds up nothing. One that was recorded while a graph was captured makes this stream take part
  /// in that: InvalidArgument for the default stream, and once the capture is over.
  void wait(const Event &event) const;

  /// Runs \p function on a thread of the runtime, after the work so far; later work waits for it.
  /// It must not call this library on CUDA, where functions of different streams may run one after
  /// another; on the CPU it must not wait for its own stream, which is InvalidArgument. If it
  /// throws, the operation has failed. What it holds ends once it has run: on CUDA, where it
  /// could not end there, in the next call that waits for the stream or gives it a function.
  void call(std::function<void()> function) const;

  /// The driver's own stream for other libraries of CUDA: a CUstream (cudaStream_t) as a number, 0
  /// for the default stream; 0 on the CPU. It is good as long as this object. What others put
  /// into it runs in its order, but no array knows of it: sync the stream, or wait for an event of
  /// it, before a transfer without a stream.
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

  /// Waits until the work before it is done or skipped; throws what that left as an error. One that
  /// was never recorded is done.
  void sync() const;
  /// Returns whether the work before it is done or was skipped.
  bool query() const;

  /// From \p start to this event, in milliseconds as the device measures. Throws InvalidArgument if
  /// either was not recorded, is not done yet, or was recorded while a graph was captured.
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

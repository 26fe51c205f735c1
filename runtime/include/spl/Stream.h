// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Queues of work and points in them. The work of one stream runs in the order it was given; that
/// of different streams runs at the same time, unless one waits for an event of another. Both are
/// move-only and used from one thread at a time.
///
/// What goes wrong in a stream's work is thrown by the next call that waits for it: sync of the
/// stream, the context or an event after it, or a transfer that waits for an array it used. What a
/// stream that has ended left is thrown by the sync of the context.
#ifndef SPL_STREAM_H
#define SPL_STREAM_H

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
/// Context::wrapStream. When it ends, its work still runs: its end waits for that on the CPU, and
/// on CUDA where functions of the host (call) are among it.
class Stream {
public:
  Stream(Stream &&) noexcept = default;
  Stream &operator=(Stream &&) noexcept = default;

  /// Waits for all of its work; throws what that left as an error.
  void sync() const;

  /// Whether all of its work is done.
  bool query() const;

  /// Puts a point after the work so far; replaces what \p event stood for.
  void record(Event &event) const;

  /// What is given to this stream from now on runs after \p event. One that was never recorded
  /// holds up nothing. One that was recorded while a graph was captured makes this stream take part
  /// in that: InvalidArgument for the default stream, and once the capture is over.
  void wait(const Event &event) const;

  /// Runs \p function on a thread of the runtime, after the work so far; later work waits for it.
  /// It must not call this library on CUDA, where functions of different streams may run one after
  /// another; on the CPU it must not wait for its own stream, which is InvalidArgument. What it
  /// throws is thrown by the stream's sync. What it holds ends once it has run: on CUDA, where it
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

  /// Waits until the work before it is done; throws what that left as an error. One that was never
  /// recorded is done.
  void sync() const;
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

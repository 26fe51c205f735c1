// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams as queues: adding work and running it.
#include "test/fakecuda/Call.h"

#include <thread>

namespace spl::fake {

bool Point::isDone() const { return stream->done >= number; }

Point tailOf(const std::shared_ptr<Stream> &stream) { return {stream, stream->queued}; }

static void append(Stream &stream, Work work) {
  stream.queue.push_back(std::move(work));
  ++stream.queued;
}

Point push(const std::shared_ptr<Stream> &stream, Work work) {
  const Context &context = *stream->context;
  auto waitForOther = [&](const std::shared_ptr<Stream> &other) {
    if (Point tail = tailOf(other); !tail.isDone())
      append(*stream, Work{WaitWork{tail}});
  };
  if (stream == context.null) {
    for (const std::shared_ptr<Stream> &other : context.streams)
      if (other->isBlocking)
        waitForOther(other);
  } else if (stream->isBlocking) {
    waitForOther(context.null);
  }
  append(*stream, std::move(work));
  return tailOf(stream);
}

/// Whether \p work reads or writes these bytes of the host.
static bool uses(const Work &work, std::uint64_t address, std::size_t bytes) {
  auto overlaps = [&](const Place &place, std::size_t size) {
    return !place.context && place.address < address + bytes && address < place.address + size;
  };
  if (const auto *copy = std::get_if<CopyWork>(&work.what))
    return overlaps(copy->target, copy->bytes) ||
           (copy->staged.empty() && overlaps(copy->source, copy->bytes));
  if (const auto *graph = std::get_if<GraphWork>(&work.what))
    return std::any_of(graph->nodes.begin(), graph->nodes.end(),
                       [&](const auto &node) { return uses(*node, address, bytes); });
  return false;
}

std::string queuedUser(const void *address, std::size_t bytes) {
  for (const auto &[handle, context] : state().contexts) {
    std::vector<std::shared_ptr<Stream>> streams = context->streams;
    streams.push_back(context->null);
    for (const std::shared_ptr<Stream> &stream : streams)
      for (const Work &work : stream->queue)
        if (uses(work, reinterpret_cast<std::uintptr_t>(address), bytes))
          return work.describe();
  }
  return "";
}

void step(Stream &stream, Lock &lock) {
  if (stream.isBusy) {
    state().moved.wait(lock, [&] { return !stream.isBusy; });
    return;
  }
  if (stream.queue.empty())
    return;
  const Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  stream.isBusy = true;
  state().moved.notify_all();
  perform(work, *stream.context, lock);
  ++stream.done;
  stream.isBusy = false;
  state().moved.notify_all();
}

void poke(const std::shared_ptr<Stream> &stream, Lock &lock) {
  if (stream->isBusy || stream->queue.empty())
    return;
  const Work &next = stream->queue.front();
  if (const auto *wait = std::get_if<WaitWork>(&next.what); wait && !wait->point.isDone())
    return poke(wait->point.stream, lock);
  if (!std::holds_alternative<CallWork>(next.what) && !std::holds_alternative<GraphWork>(next.what))
    return step(*stream, lock);
  // A host function may block, or wait for the thread that queries the stream. It runs on its own
  // thread.
  auto isStarted = std::make_shared<bool>(false);
  std::thread([stream, isStarted] {
    Lock own(state().mutex);
    *isStarted = true;
    step(*stream, own);
  }).detach();
  state().moved.wait(lock, [&] { return *isStarted; });
}

void drain(const Point &point, Lock &lock) {
  while (!point.isDone())
    step(*point.stream, lock);
}

void drain(Context &context, Lock &lock) {
  for (;;) {
    std::vector<std::shared_ptr<Stream>> pending;
    for (const std::shared_ptr<Stream> &stream : context.streams)
      if (!tailOf(stream).isDone())
        pending.push_back(stream);
    if (!tailOf(context.null).isDone())
      pending.push_back(context.null);
    if (pending.empty())
      break;
    const std::size_t chosen = state().visible.seed ? state().random() % pending.size() : 0;
    step(*pending[chosen], lock);
  }
}

} // namespace spl::fake

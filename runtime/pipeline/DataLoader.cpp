// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/DataLoader.h"

#include "runtime/system/Checks.h"
#include "runtime/system/ForkGuard.h"
#include "spl/Error.h"
#include "spl/Trace.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace spl::detail {

using Clock = Trace::Clock;

namespace {

/// A larger number is an error of the caller. Each place needs memory even before it has a batch.
constexpr std::size_t maxPrefetch = 65536;

/// The state of the batch at a place.
enum class BatchState { InTheMaking, Ready, Failed, End };

struct Place {
  BatchState batch = BatchState::InTheMaking;
  std::exception_ptr failure;
};

/// Measures the time from its construction to its destruction. Adds it to a sum and to the trace.
class Stopwatch {
public:
  Stopwatch(Trace *trace, std::optional<Trace::Lane> lane) : trace(trace), lane(lane) {}

  double stop(const std::string &what, std::size_t batch) const {
    const Clock::time_point end = Clock::now();
    if (trace)
      trace->span(*lane, what, start, end, batch);
    return std::chrono::duration<double, std::milli>(end - start).count();
  }

private:
  Trace *trace;
  std::optional<Trace::Lane> lane;
  Clock::time_point start = Clock::now();
};

} // namespace

struct Prefetcher::State {
  void work(std::optional<Trace::Lane> lane);
  void stop() noexcept;
  /// Frees the place of the batch that the consumer has taken. The caller holds the mutex.
  void take();

  Make make;
  Trace *trace;
  std::optional<Trace::Lane> consumerLane;
  std::vector<std::thread> threads;
  ForkGuard guard;

  std::mutex mutex; ///< guards the members below
  std::condition_variable room, made;
  std::vector<Place> places; ///< batch i is at place i % places.size()
  std::size_t next = 0;      ///< the next batch for a worker
  std::size_t taken = 0;     ///< the number of batches that the consumer has taken
  bool ends = false;         ///< set when no further batch may be started
  DataLoaderStats stats;
};

static Error refusal(const std::string &message) {
  return Error({.code = ErrorCode::InvalidArgument, .message = "the data loader has " + message});
}

std::size_t Prefetcher::placesFor(const DataLoaderOptions &options) {
  if (options.prefetch == 0)
    throw refusal("no batches ahead: prefetch is 0");
  if (options.prefetch > maxPrefetch)
    throw refusal("too many batches ahead: prefetch is " + std::to_string(options.prefetch) +
                  ", and at most " + std::to_string(maxPrefetch) + " are possible");
  return options.prefetch;
}

Prefetcher::Prefetcher(Make make, const DataLoaderOptions &options)
    : state(std::make_unique<State>()) {
  if (!make)
    throw refusal("no producer");
  if (options.workers == 0)
    throw refusal("no workers");
  state->make = std::move(make);
  state->trace = options.trace;
  state->places.resize(placesFor(options));
  if (state->trace)
    state->consumerLane = state->trace->addLane("loader's consumer");
  try {
    for (std::size_t i = 0; i < std::min(options.workers, options.prefetch); ++i) {
      std::optional<Trace::Lane> lane;
      if (state->trace)
        lane = state->trace->addLane("loader " + std::to_string(i));
      state->threads.emplace_back([state = state.get(), lane] { state->work(lane); });
    }
  } catch (const std::system_error &error) {
    state->stop();
    throw noThread(error, "a data loader", "use fewer workers");
  }
}

Prefetcher::Prefetcher(Prefetcher &&) noexcept = default;

Prefetcher &Prefetcher::operator=(Prefetcher &&other) noexcept {
  if (this != &other) {
    end();
    state = std::move(other.state);
  }
  return *this;
}

Prefetcher::~Prefetcher() { end(); }

void Prefetcher::end() noexcept {
  if (!state)
    return;
  if (state->guard.inMakingProcess())
    state->stop();
  else
    // The child has no threads, and their state cannot be destroyed.
    static_cast<void>(state.release());
}

Prefetcher::State &Prefetcher::usable() const {
  if (!state)
    throw Error({.code = ErrorCode::InvalidArgument, .message = "the data loader was moved from"});
  if (!state->guard.inMakingProcess())
    throw Error({.code = ErrorCode::ForkedProcess,
                 .message = "the data loader's threads are those of the process before fork",
                 .hint = "make it in the child"});
  return *state;
}

void Prefetcher::State::stop() noexcept {
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  room.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void Prefetcher::State::work(std::optional<Trace::Lane> lane) {
  std::unique_lock lock(mutex);
  for (;;) {
    auto isFree = [&] { return ends || next < taken + places.size(); };
    if (!isFree()) {
      const Stopwatch waiting(trace, lane);
      room.wait(lock, isFree);
      stats.producerWaitMs += waiting.stop("wait for room", next);
    }
    if (ends)
      return;
    const std::size_t index = next++, place = index % places.size();
    places[place] = {};
    lock.unlock();

    const Stopwatch making(trace, lane);
    Place result;
    try {
      result.batch = make(index, place) ? BatchState::Ready : BatchState::End;
    } catch (...) {
      result = {BatchState::Failed, std::current_exception()};
    }
    const double spent = making.stop("batch " + std::to_string(index), index);

    lock.lock();
    stats.produceMs += spent;
    places[place] = std::move(result);
    if (places[place].batch == BatchState::End) {
      ends = true;
      room.notify_all();
    }
    made.notify_one();
  }
}

void Prefetcher::State::take() {
  ++taken;
  room.notify_one();
}

std::optional<std::size_t> Prefetcher::wait() {
  State &state = usable();
  for (const std::thread &thread : state.threads)
    if (thread.get_id() == std::this_thread::get_id())
      throw Error({.code = ErrorCode::InvalidArgument,
                   .message = "the data loader's own producer asks it for a batch"});
  std::unique_lock lock(state.mutex);
  const std::size_t index = state.taken, at = index % state.places.size();
  Place &place = state.places[at];
  auto isMade = [&] { return index < state.next && place.batch != BatchState::InTheMaking; };
  if (!isMade()) {
    const Stopwatch waiting(state.trace, state.consumerLane);
    state.made.wait(lock, isMade);
    state.stats.consumerWaitMs += waiting.stop("wait for batch", index);
  }
  switch (place.batch) {
  case BatchState::InTheMaking:
  case BatchState::Ready:
    return at;
  case BatchState::Failed:
    break;
  case BatchState::End:
    return std::nullopt;
  }
  const std::exception_ptr failure = std::move(place.failure);
  state.take();
  lock.unlock();
  std::rethrow_exception(failure);
}

void Prefetcher::release() {
  State &state = usable();
  std::lock_guard lock(state.mutex);
  ++state.stats.batches;
  state.take();
}

DataLoaderStats Prefetcher::stats() const {
  State &state = usable();
  std::lock_guard lock(state.mutex);
  return state.stats;
}

} // namespace spl::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/AsyncErrors.h"

#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>

namespace spl::detail {

/// The exception of an operation. All streams that skip operations because of it share it.
struct AsyncError {
  Error error;
  std::uint64_t order; ///< the number of the error in this process
};

/// A wait of a stream for a place in another stream.
struct StreamWait {
  WorkPlace at; ///< the place of the wait in its own stream
  WorkPlace other;
};

/// A range of a stream's operations. It ends at an error that a wait has taken, or at the latest
/// operation. The first error in the range skips the operations after it. The thread that enqueues
/// operations increments the counts.
struct ErrorScope {
  std::atomic<std::uint64_t> positions{0}, operations{0}, skippable{0};
  std::atomic<std::uint64_t> finished{0}; ///< the number of finished operations

  /// Whether the scope has an error or waits for other streams. Only then the lock is needed.
  std::atomic<bool> isSuspect{false};

  // errorsMutex guards the members below.
  /// Waits that may still propagate an error; after an error, all waits.
  std::deque<StreamWait> waits;
  std::shared_ptr<const AsyncError> error;
  WorkPlace failedAt;        ///< the place of the failed operation or wait; without a scope
  bool isTaken = false;      ///< a wait has thrown the error
  std::uint64_t takenAt = 0; ///< the position of that wait
};

/// One lock for all streams, because errors propagate between streams. It is taken only if a stream
/// has an error or waits for other streams.
static std::mutex errorsMutex;

namespace {

/// Holds the lock. Scopes that are released meanwhile are destroyed after the unlock, because they
/// may own exceptions of the program whose destructors run its code.
class ErrorsLock {
public:
  ErrorsLock() : lock(errorsMutex) {}
  void release(std::shared_ptr<ErrorScope> scope) { released.push_back(std::move(scope)); }

private:
  std::vector<std::shared_ptr<ErrorScope>> released;
  std::lock_guard<std::mutex> lock;
};

} // namespace

static void failAt(ErrorScope &scope, const WorkPlace &place,
                   const std::shared_ptr<const AsyncError> &error) {
  scope.error = error;
  scope.failedAt = {nullptr, place.position, place.operations, place.skippable};
  scope.isSuspect.store(true, std::memory_order_release);
}

/// Whether the part of the work before \p place that is done has failed. Removes waits that can no
/// longer propagate an error.
static bool hasFailedBefore(const WorkPlace &place, ErrorsLock &lock) {
  if (!place.scope || !place.scope->isSuspect.load(std::memory_order_acquire))
    return false;
  ErrorScope &scope = *place.scope;
  std::deque<StreamWait> &waits = scope.waits;
  while (!scope.error && !waits.empty() && waits.front().at.position <= place.position) {
    const WorkPlace &other = waits.front().other;
    if (hasFailedBefore(other, lock)) {
      failAt(scope, waits.front().at, other.scope->error);
      break;
    }
    const std::deque<StreamWait> &others = other.scope->waits;
    if (other.scope->finished.load(std::memory_order_acquire) < other.operations ||
        (!others.empty() && others.front().at.position <= other.position))
      break; // it is not done
    lock.release(other.scope);
    waits.pop_front();
  }
  if (waits.empty() && !scope.error)
    scope.isSuspect.store(false, std::memory_order_release);
  return scope.error && scope.failedAt.position <= place.position;
}

/// Makes the error for an exception. An Error is kept; any other exception becomes an Error with
/// its text.
static std::shared_ptr<const AsyncError> asyncErrorOf(std::exception_ptr thrown) {
  static std::atomic<std::uint64_t> count{0};
  ErrorInfo info =
      errorOf(thrown, "a function in a stream threw an exception that is not a std::exception")
          .info();
  info.origin = std::move(thrown);
  return std::make_shared<const AsyncError>(AsyncError{Error(std::move(info)), ++count});
}

static void takeBefore(const WorkPlace &place, TakenErrors &errors, ErrorsLock &lock) {
  if (!hasFailedBefore(place, lock) || place.scope->isTaken)
    return;
  ErrorScope &scope = *place.scope;
  errors.add(scope.error, scope.skippable - scope.failedAt.skippable);
  scope.isTaken = true;
  scope.takenAt = place.position;
  for (const StreamWait &wait : scope.waits)
    if (wait.at.position <= place.position)
      takeBefore(wait.other, errors, lock);
  // Removes waits that are over: streams that waited for each other would own each other forever.
  while (!scope.waits.empty() && scope.waits.front().at.position <= place.position) {
    lock.release(std::move(scope.waits.front().other.scope));
    scope.waits.pop_front();
  }
}

// TakenErrors.

void TakenErrors::take(const WorkPlace &place) {
  if (!place.scope || !place.scope->isSuspect.load(std::memory_order_acquire))
    return;
  ErrorsLock lock;
  takeBefore(place, *this, lock);
}

void TakenErrors::add(const std::shared_ptr<const AsyncError> &error, std::uint64_t count) {
  skipped += count;
  if (std::find(errors.begin(), errors.end(), error) == errors.end())
    errors.push_back(error);
}

static bool isEarlier(const std::shared_ptr<const AsyncError> &a,
                      const std::shared_ptr<const AsyncError> &b) {
  return a->order < b->order;
}

void TakenErrors::shorten() {
  if (errors.size() < 2)
    return;
  std::iter_swap(errors.begin(), std::min_element(errors.begin(), errors.end(), isEarlier));
  dropped += errors.size() - 1;
  errors.resize(1);
}

void TakenErrors::rethrow() const {
  if (errors.empty())
    return;
  const auto first = std::min_element(errors.begin(), errors.end(), isEarlier);
  ErrorInfo info = (*first)->error.info();
  info.skipped += skipped;
  info.others += dropped + errors.size() - 1;
  throw Error(std::move(info));
}

// The errors of a stream.

StreamErrors::StreamErrors() : current(std::make_shared<ErrorScope>()) {}

StreamErrors::~StreamErrors() {
  if (!guard.inMakingProcess() || !current->isSuspect.load(std::memory_order_acquire))
    return;
  // Removes the waits: two destroyed streams may have waited for each other, and would own each
  // other forever.
  ErrorsLock lock;
  if (!hasFailedBefore({current, current->positions, current->operations}, lock))
    return;
  for (StreamWait &wait : current->waits)
    lock.release(std::move(wait.other.scope));
  current->waits.clear();
}

/// Returns the scope for the next operation. The caller holds the mutex.
ErrorScope &StreamErrors::openScope(std::shared_ptr<ErrorScope> &former) const {
  if (!current->isSuspect.load(std::memory_order_acquire))
    return *current;
  std::lock_guard lock(errorsMutex);
  if (!current->isTaken)
    return *current;
  auto next = std::make_shared<ErrorScope>();
  for (StreamWait &wait : current->waits)
    if (wait.at.position > current->takenAt) { // no wait has covered it
      next->waits.push_back({{}, wait.other});
      next->isSuspect.store(true, std::memory_order_release);
    }
  former = std::exchange(current, std::move(next));
  return *current;
}

WorkPlace StreamErrors::now() const {
  std::shared_ptr<ErrorScope> former; // destroyed after the lock is released
  std::lock_guard lock(mutex);
  const ErrorScope &scope = openScope(former);
  return {current, scope.positions, scope.operations, scope.skippable};
}

WorkPlace StreamErrors::add(bool isSkippable) {
  std::shared_ptr<ErrorScope> former;
  std::lock_guard lock(mutex);
  ErrorScope &scope = openScope(former);
  scope.skippable += isSkippable;
  return {current, ++scope.positions, ++scope.operations, scope.skippable};
}

void StreamErrors::follow(const WorkPlace &other) {
  if (!other.scope)
    return;
  std::shared_ptr<ErrorScope> former;
  std::lock_guard lock(mutex);
  ErrorScope &scope = openScope(former);
  ErrorsLock errorsLock;
  if (other.scope == current || other.scope->isTaken)
    return;
  scope.waits.push_back({{nullptr, ++scope.positions, scope.operations, scope.skippable}, other});
  scope.isSuspect.store(true, std::memory_order_release);
  hasFailedBefore({current, scope.positions, scope.operations}, errorsLock);
}

/// Returns the place at the end of the current scope.
WorkPlace StreamErrors::end() const {
  std::lock_guard lock(mutex);
  return {current, current->positions, current->operations, current->skippable};
}

bool StreamErrors::hasFailed() const {
  const WorkPlace place = end();
  ErrorsLock lock;
  return hasFailedBefore(place, lock) && !place.scope->isTaken;
}

void StreamErrors::collect(TakenErrors &errors) const {
  const WorkPlace place = end();
  ErrorsLock lock;
  const ErrorScope &scope = *place.scope;
  if (hasFailedBefore(place, lock) && !scope.isTaken)
    errors.add(scope.error, scope.skippable - scope.failedAt.skippable);
}

void StreamErrors::finish(const WorkPlace &operation) noexcept {
  operation.scope->finished.fetch_add(1, std::memory_order_release);
}

static bool mayRun(const WorkPlace &operation) {
  if (!operation.scope->isSuspect.load(std::memory_order_acquire))
    return true;
  ErrorsLock lock;
  return !hasFailedBefore(operation, lock);
}

void StreamErrors::runPart(const WorkPlace &operation, const std::function<void()> &function) {
  std::exception_ptr thrown;
  if (mayRun(operation))
    try {
      function();
    } catch (...) {
      thrown = std::current_exception();
    }
  if (!thrown)
    return;
  const std::shared_ptr<const AsyncError> error = asyncErrorOf(std::move(thrown));
  ErrorsLock lock;
  ErrorScope &scope = *operation.scope;
  if (!scope.error || scope.failedAt.position >
                          operation.position) // an operation's error replaces that of a later wait
    failAt(scope, operation, error);
}

void StreamErrors::fail(const WorkPlace &operation, const Error &error) {
  runPart(operation, [&] { throw error; });
}

void StreamErrors::run(const WorkPlace &operation, const std::function<void()> &function) {
  runPart(operation, function);
  finish(operation);
}

// The errors of a context.

void ContextErrors::add(std::shared_ptr<StreamErrors> stream) {
  std::vector<std::shared_ptr<StreamErrors>>
      over; // destroyed after the lock is released, as is dropped
  TakenErrors dropped;
  std::lock_guard lock(mutex);
  // If this set is the only owner of a stream's errors, the stream's work is done.
  for (const std::shared_ptr<StreamErrors> &each : streams)
    if (each.use_count() == 1)
      over.push_back(each);
  for (const std::shared_ptr<StreamErrors> &each : over) {
    each->collect(ended);
    streams.erase(each);
  }
  dropped = ended;
  ended.shorten();
  streams.insert(std::move(stream));
}

std::vector<WorkPlace> ContextErrors::now() {
  std::vector<WorkPlace> places;
  std::lock_guard lock(mutex);
  for (const std::shared_ptr<StreamErrors> &each : streams)
    places.push_back(each->now());
  return places;
}

void ContextErrors::rethrow(const std::vector<WorkPlace> &places) {
  TakenErrors errors;
  {
    std::lock_guard lock(mutex);
    std::swap(errors, ended);
  }
  for (const WorkPlace &each : places)
    errors.take(each);
  errors.rethrow();
}

} // namespace spl::detail

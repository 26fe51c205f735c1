// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/Outcome.h"

#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>

namespace spl::detail {

/// What an operation threw. All streams that it reached share it.
struct Failure {
  Error error;
  std::uint64_t order; ///< of all failures of the process
};

/// A wait of a stream for a place in another.
struct Link {
  WorkPlace at; ///< its own place
  WorkPlace other;
};

/// The work of a stream up to a failure that was taken, or so far. Its first failure decides what
/// becomes of the rest. The counts grow in the thread that gives the work.
struct Stretch {
  std::atomic<std::uint64_t> positions{0}, operations{0};
  std::atomic<std::uint64_t> finished{0}; ///< operations

  /// Whether it has failed or has links, so that the lock is needed to know more.
  std::atomic<bool> isSuspect{false};

  // Guarded by failuresMutex.
  std::deque<Link> links; ///< that may still bring a failure; once it has failed, also that have
  std::shared_ptr<const Failure> failure;
  WorkPlace failedAt; ///< the operation or the wait; without its stretch
  bool isTaken = false;
  std::uint64_t takenAt = 0; ///< the position up to which that is so
};

/// One for all streams: a failure goes from stream to stream. It is needed only where a stream has
/// failed or waits for others.
static std::mutex failuresMutex;

namespace {

/// Holds the lock. What is buried meanwhile ends after it: exceptions are the program's.
class FailuresLock {
public:
  FailuresLock() : lock(failuresMutex) {}
  void bury(std::shared_ptr<Stretch> stretch) { buried.push_back(std::move(stretch)); }

private:
  std::vector<std::shared_ptr<Stretch>> buried;
  std::lock_guard<std::mutex> lock;
};

} // namespace

static void failAt(Stretch &stretch, const WorkPlace &place,
                   const std::shared_ptr<const Failure> &failure) {
  stretch.failure = failure;
  stretch.failedAt = {nullptr, place.position, place.operations};
  stretch.isSuspect.store(true, std::memory_order_release);
}

/// Whether the work before \p place has failed, as far as it is done. Drops the links that bring
/// nothing any more.
static bool hasFailedBefore(const WorkPlace &place, FailuresLock &lock) {
  if (!place.stretch || !place.stretch->isSuspect.load(std::memory_order_acquire))
    return false;
  Stretch &stretch = *place.stretch;
  std::deque<Link> &links = stretch.links;
  while (!stretch.failure && !links.empty() && links.front().at.position <= place.position) {
    const WorkPlace &other = links.front().other;
    if (hasFailedBefore(other, lock)) {
      failAt(stretch, links.front().at, other.stretch->failure);
      break;
    }
    const std::deque<Link> &others = other.stretch->links;
    if (other.stretch->finished.load(std::memory_order_acquire) < other.operations ||
        (!others.empty() && others.front().at.position <= other.position))
      break; // it is not done
    lock.bury(other.stretch);
    links.pop_front();
  }
  if (links.empty() && !stretch.failure)
    stretch.isSuspect.store(false, std::memory_order_release);
  return stretch.failure && stretch.failedAt.position <= place.position;
}

/// The failure of an exception: an Error as it is, and any other as one that tells its text.
static std::shared_ptr<const Failure> failureOf(std::exception_ptr thrown) {
  static std::atomic<std::uint64_t> count{0};
  ErrorInfo info = errorOf(thrown, "a function in a stream threw what is no std::exception").info();
  info.origin = std::move(thrown);
  return std::make_shared<const Failure>(Failure{Error(std::move(info)), ++count});
}

static void takeBefore(const WorkPlace &place, Failures &failures, FailuresLock &lock) {
  if (!hasFailedBefore(place, lock) || place.stretch->isTaken)
    return;
  Stretch &stretch = *place.stretch;
  failures.add(stretch.failure, stretch.operations - stretch.failedAt.operations);
  stretch.isTaken = true;
  stretch.takenAt = place.position;
  for (const Link &link : stretch.links)
    if (link.at.position <= place.position)
      takeBefore(link.other, failures, lock);
  // Streams that waited for each other would keep each other for ever.
  while (!stretch.links.empty() && stretch.links.front().at.position <= place.position) {
    lock.bury(std::move(stretch.links.front().other.stretch));
    stretch.links.pop_front();
  }
}

// Failures.

void Failures::take(const WorkPlace &place) {
  if (!place.stretch || !place.stretch->isSuspect.load(std::memory_order_acquire))
    return;
  FailuresLock lock;
  takeBefore(place, *this, lock);
}

void Failures::add(const std::shared_ptr<const Failure> &failure, std::uint64_t count) {
  skipped += count;
  if (std::find(failures.begin(), failures.end(), failure) == failures.end())
    failures.push_back(failure);
}

static bool isEarlier(const std::shared_ptr<const Failure> &a,
                      const std::shared_ptr<const Failure> &b) {
  return a->order < b->order;
}

void Failures::shorten() {
  if (failures.size() < 2)
    return;
  std::iter_swap(failures.begin(), std::min_element(failures.begin(), failures.end(), isEarlier));
  forgotten += failures.size() - 1;
  failures.resize(1);
}

void Failures::rethrow() const {
  if (failures.empty())
    return;
  const auto first = std::min_element(failures.begin(), failures.end(), isEarlier);
  ErrorInfo info = (*first)->error.info();
  info.skipped += skipped;
  info.others += forgotten + failures.size() - 1;
  throw Error(std::move(info));
}

// The outcome of a stream.

Outcome::Outcome() : current(std::make_shared<Stretch>()) {}

Outcome::~Outcome() {
  if (!guard.inMakingProcess() || !current->isSuspect.load(std::memory_order_acquire))
    return;
  // Links are dropped: two streams that are over may have been linked to each other.
  FailuresLock lock;
  if (!hasFailedBefore({current, current->positions, current->operations}, lock))
    return;
  for (Link &link : current->links)
    lock.bury(std::move(link.other.stretch));
  current->links.clear();
}

/// The stretch that takes what is given now; with the mutex held.
Stretch &Outcome::fresh(std::shared_ptr<Stretch> &former) const {
  if (!current->isSuspect.load(std::memory_order_acquire))
    return *current;
  std::lock_guard lock(failuresMutex);
  if (!current->isTaken)
    return *current;
  auto next = std::make_shared<Stretch>();
  for (Link &link : current->links)
    if (link.at.position > current->takenAt) { // nobody has waited for it
      next->links.push_back({{}, link.other});
      next->isSuspect.store(true, std::memory_order_release);
    }
  former = std::exchange(current, std::move(next));
  return *current;
}

WorkPlace Outcome::now() const {
  std::shared_ptr<Stretch> former; // ends after the lock
  std::lock_guard lock(mutex);
  const Stretch &stretch = fresh(former);
  return {current, stretch.positions, stretch.operations};
}

WorkPlace Outcome::add() {
  std::shared_ptr<Stretch> former;
  std::lock_guard lock(mutex);
  Stretch &stretch = fresh(former);
  return {current, ++stretch.positions, ++stretch.operations};
}

void Outcome::follow(const WorkPlace &other) {
  if (!other.stretch)
    return;
  std::shared_ptr<Stretch> former;
  std::lock_guard lock(mutex);
  Stretch &stretch = fresh(former);
  FailuresLock failures;
  if (other.stretch == current || other.stretch->isTaken)
    return;
  stretch.links.push_back({{nullptr, ++stretch.positions, stretch.operations}, other});
  stretch.isSuspect.store(true, std::memory_order_release);
  hasFailedBefore({current, stretch.positions, stretch.operations}, failures);
}

/// The end of the stretch, as it is.
WorkPlace Outcome::end() const {
  std::lock_guard lock(mutex);
  return {current, current->positions, current->operations};
}

bool Outcome::hasFailed() const {
  const WorkPlace place = end();
  FailuresLock lock;
  return hasFailedBefore(place, lock) && !place.stretch->isTaken;
}

void Outcome::tell(Failures &failures) const {
  const WorkPlace place = end();
  FailuresLock lock;
  const Stretch &stretch = *place.stretch;
  if (hasFailedBefore(place, lock) && !stretch.isTaken)
    failures.add(stretch.failure, stretch.operations - stretch.failedAt.operations);
}

void Outcome::finish(const WorkPlace &operation) noexcept {
  operation.stretch->finished.fetch_add(1, std::memory_order_release);
}

static bool mayRun(const WorkPlace &operation) {
  if (!operation.stretch->isSuspect.load(std::memory_order_acquire))
    return true;
  FailuresLock lock;
  return !hasFailedBefore(operation, lock);
}

void Outcome::runPart(const WorkPlace &operation, const std::function<void()> &function) {
  std::exception_ptr thrown;
  if (mayRun(operation))
    try {
      function();
    } catch (...) {
      thrown = std::current_exception();
    }
  if (!thrown)
    return;
  const std::shared_ptr<const Failure> failure = failureOf(std::move(thrown));
  FailuresLock lock;
  Stretch &stretch = *operation.stretch;
  if (!stretch.failure || stretch.failedAt.position > operation.position) // over a later wait
    failAt(stretch, operation, failure);
}

void Outcome::run(const WorkPlace &operation, const std::function<void()> &function) {
  runPart(operation, function);
  finish(operation);
}

// The outcomes of a context.

void Outcomes::add(std::shared_ptr<Outcome> outcome) {
  std::vector<std::shared_ptr<Outcome>> over; // ends after the lock, as what is forgotten does
  Failures forgotten;
  std::lock_guard lock(mutex);
  // What only this holds is of work that is over.
  for (const std::shared_ptr<Outcome> &each : all)
    if (each.use_count() == 1)
      over.push_back(each);
  for (const std::shared_ptr<Outcome> &each : over) {
    each->tell(ended);
    all.erase(each);
  }
  forgotten = ended;
  ended.shorten();
  all.insert(std::move(outcome));
}

std::vector<WorkPlace> Outcomes::now() {
  std::vector<WorkPlace> places;
  std::lock_guard lock(mutex);
  for (const std::shared_ptr<Outcome> &each : all)
    places.push_back(each->now());
  return places;
}

void Outcomes::rethrow(const std::vector<WorkPlace> &places) {
  Failures failures;
  {
    std::lock_guard lock(mutex);
    std::swap(failures, ended);
  }
  for (const WorkPlace &each : places)
    failures.take(each);
  failures.rethrow();
}

} // namespace spl::detail

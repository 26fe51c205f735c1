// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of the work of streams. An operation that fails keeps those behind it from running:
// in its stream, and in other streams behind a wait for one of its later events. That ends with the
// wait that throws the failure: what is given after it runs again.
//
// Shared by a stream, its queued work, the events in it, the arrays that it uses and the context,
// any of which may be the last to end. From any thread.
#ifndef SPL_RUNTIME_STREAM_OUTCOME_H
#define SPL_RUNTIME_STREAM_OUTCOME_H

#include "runtime/system/ForkGuard.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace spl::detail {

struct Failure;
struct Stretch;

/// A place in a stream's work, behind so many of its operations. That of an operation itself is
/// the one behind it.
struct WorkPlace {
  std::shared_ptr<Stretch> stretch; ///< null where nothing fails later, as in a capture
  std::uint64_t position = 0;       ///< counts the operations and the waits for other streams
  std::uint64_t operations = 0;
};

/// Failures that a wait has taken, to be thrown as one.
class Failures {
public:
  /// Takes the failures of the work before \p place, which is done. The operations that were given
  /// behind them are skipped, those that are given from now on are not.
  void take(const WorkPlace &place);

  /// Adds \p failure, and \p skipped operations that it kept from running.
  void add(const std::shared_ptr<const Failure> &failure, std::uint64_t skipped);

  /// Forgets all but the first failure and the number of the others.
  void shorten();

  /// Throws the first one as an Error that tells the number of the others and of all operations
  /// that were skipped. Returns if there are none.
  void rethrow() const;

private:
  std::vector<std::shared_ptr<const Failure>> failures; ///< each once
  std::uint64_t forgotten = 0;
  std::uint64_t skipped = 0;
};

/// The outcome of one stream's work.
class Outcome {
public:
  Outcome();
  ~Outcome();
  Outcome(const Outcome &) = delete;
  Outcome &operator=(const Outcome &) = delete;

  /// The end of the work so far.
  WorkPlace now() const;
  /// Counts one more operation.
  WorkPlace add();
  /// What is given from now on comes after \p other, a place in another stream.
  void follow(const WorkPlace &other);

  /// Whether some work failed and no wait has thrown that.
  bool hasFailed() const;
  /// Adds what is untold to \p failures and leaves it untold.
  void tell(Failures &failures) const;

  /// Runs \p function as \p operation, whose turn it is, or skips it. The operation fails with
  /// what it throws.
  static void run(const WorkPlace &operation, const std::function<void()> &function);
  /// The same for one of several functions that are one operation, and its end.
  static void runPart(const WorkPlace &operation, const std::function<void()> &function);
  static void finish(const WorkPlace &operation) noexcept;

private:
  WorkPlace end() const;
  Stretch &fresh(std::shared_ptr<Stretch> &former) const;

  ForkGuard guard;
  mutable std::mutex mutex;
  mutable std::shared_ptr<Stretch> current; ///< guarded by mutex
};

/// The outcomes of a context's streams, also of those that have ended.
class Outcomes {
public:
  /// Those of streams that have ended are dropped, or shortened to their first failure.
  void add(std::shared_ptr<Outcome> outcome);

  /// The end of each stream's work so far.
  std::vector<WorkPlace> now();
  /// Throws what the work before \p places, which is done, left as errors, and what streams that
  /// ended left; takes it.
  void rethrow(const std::vector<WorkPlace> &places);

private:
  std::mutex mutex;
  std::set<std::shared_ptr<Outcome>> all; ///< guarded by mutex
  Failures ended;                         ///< guarded by mutex
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous errors: exceptions of a stream's operations, which run after the calls that enqueued
// them have returned. After an error, later operations of the stream are skipped. So are operations
// of other streams that wait for a later event of the stream. A wait of the host throws the error
// and clears it: operations enqueued after that wait run again.
//
// These classes do not hold sticky errors. CudaContext holds them, because they end the device's
// context.
//
// A stream, its queued operations, its events, the arrays it uses and the context share ownership,
// because any of them may be destroyed last. Any thread may use these classes.
#ifndef SPL_RUNTIME_STREAM_ASYNCERRORS_H
#define SPL_RUNTIME_STREAM_ASYNCERRORS_H

#include "runtime/system/ForkGuard.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace spl {
class Error;
}

namespace spl::detail {

struct AsyncError;
struct ErrorScope;

/// A place in a stream's work: the point after a number of its operations. The place of an
/// operation is the point directly after it.
struct WorkPlace {
  std::shared_ptr<ErrorScope> scope; ///< null if no error can occur, as in a capture
  std::uint64_t position = 0;        ///< the number of operations and of waits for other streams
  std::uint64_t operations = 0;      ///< the number of operations
  std::uint64_t skippable = 0;       ///< the number of operations that an earlier error skips
};

/// Errors that a wait has taken from streams. The wait throws them as one Error.
class TakenErrors {
public:
  /// Takes the errors of the work before \p place. That work must be done. Operations that are
  /// enqueued already stay skipped. Operations enqueued after this call run.
  void take(const WorkPlace &place);

  /// Adds \p error, and \p skipped operations that did not run because of it.
  void add(const std::shared_ptr<const AsyncError> &error, std::uint64_t skipped);

  /// Drops all errors but the first, and keeps the number of the others.
  void shorten();

  /// Throws the first error, with the number of the others and of all skipped operations. Returns
  /// if there is no error.
  void rethrow() const;

private:
  std::vector<std::shared_ptr<const AsyncError>> errors; ///< without duplicates
  std::uint64_t dropped = 0;
  std::uint64_t skipped = 0;
};

/// The asynchronous errors of one stream.
class StreamErrors {
public:
  StreamErrors();
  ~StreamErrors();
  StreamErrors(const StreamErrors &) = delete;
  StreamErrors &operator=(const StreamErrors &) = delete;

  /// Returns the place after the work enqueued so far.
  WorkPlace now() const;
  /// Counts one more operation, and returns its place. \p isSkippable says whether an earlier error
  /// skips it.
  WorkPlace add(bool isSkippable = true);
  /// Orders later operations after \p other, a place in another stream.
  void follow(const WorkPlace &other);

  /// Whether an operation has failed and no wait has taken its error.
  bool hasFailed() const;
  /// Adds the errors that no wait has taken to \p errors. The stream keeps them too.
  void collect(TakenErrors &errors) const;

  /// Runs \p function as \p operation, which must be the next operation, or skips it. An exception
  /// is the operation's error.
  static void run(const WorkPlace &operation, const std::function<void()> &function);
  /// As run, for one of several functions that form one operation. finish() completes the
  /// operation.
  static void runPart(const WorkPlace &operation, const std::function<void()> &function);
  static void finish(const WorkPlace &operation) noexcept;
  /// Notes the error of an operation that was not run by these functions, if no error before it
  /// would have skipped it. May be called again for the same error.
  static void fail(const WorkPlace &operation, const Error &error);

private:
  WorkPlace end() const;
  ErrorScope &openScope(std::shared_ptr<ErrorScope> &former) const;

  ForkGuard guard;
  mutable std::mutex mutex;
  mutable std::shared_ptr<ErrorScope> current; ///< guarded by mutex
};

/// The asynchronous errors of a context's streams, including streams that were destroyed.
class ContextErrors {
public:
  /// Adds a stream. Removes streams that were destroyed; of those that failed, keeps the first
  /// error.
  void add(std::shared_ptr<StreamErrors> stream);

  /// Returns the place after each stream's work enqueued so far.
  std::vector<WorkPlace> now();
  /// Takes and throws the errors of the work before \p places, and the errors of streams that were
  /// destroyed. The work must be done.
  void rethrow(const std::vector<WorkPlace> &places);

private:
  std::mutex mutex;
  std::set<std::shared_ptr<StreamErrors>> streams; ///< guarded by mutex
  TakenErrors ended;                               ///< guarded by mutex
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous errors: what the operations of a stream throw when they run, after the call that
// enqueued them has returned. An error skips the operations behind it: in its stream, and in other
// streams behind a wait for a later event of it. The wait that throws the error ends that:
// operations enqueued after it run again.
//
// (An error that ends the device's context is sticky, and the context's own: CudaContext.)
//
// Shared by a stream, its queued operations, its events, the arrays it uses and the context, any of
// which may end last. May be used from any thread.
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

namespace spl::detail {

struct AsyncError;
struct ErrorScope;

/// A place in a stream's work: behind a number of its operations. The place of an operation itself
/// is the one behind it.
struct WorkPlace {
  std::shared_ptr<ErrorScope> scope; ///< null where nothing fails later, as in a capture
  std::uint64_t position = 0;        ///< counts operations and waits for other streams
  std::uint64_t operations = 0;      ///< counts operations
};

/// Errors that a wait has taken from streams, to be thrown as one.
class TakenErrors {
public:
  /// Takes the errors of the work before \p place, which is done. Operations that were enqueued
  /// behind them are skipped; operations enqueued from now on run.
  void take(const WorkPlace &place);

  /// Adds \p error, and \p skipped operations that did not run because of it.
  void add(const std::shared_ptr<const AsyncError> &error, std::uint64_t skipped);

  /// Keeps the first error and the number of the others.
  void shorten();

  /// Throws the first error, with the number of the others and of all skipped operations. Returns
  /// if there is no error.
  void rethrow() const;

private:
  std::vector<std::shared_ptr<const AsyncError>> errors; ///< each once
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

  /// The end of the work so far.
  WorkPlace now() const;
  /// Counts one more operation.
  WorkPlace add();
  /// Orders the operations enqueued from now on after \p other, a place in another stream.
  void follow(const WorkPlace &other);

  /// Whether an operation failed and no wait has thrown its error.
  bool hasFailed() const;
  /// Adds the errors that no wait has thrown to \p errors. They stay untaken.
  void collect(TakenErrors &errors) const;

  /// Runs \p function as \p operation, whose turn it is, or skips it. What it throws is the
  /// operation's error.
  static void run(const WorkPlace &operation, const std::function<void()> &function);
  /// The same for one of several functions that are one operation. finish() ends the operation.
  static void runPart(const WorkPlace &operation, const std::function<void()> &function);
  static void finish(const WorkPlace &operation) noexcept;

private:
  WorkPlace end() const;
  ErrorScope &openScope(std::shared_ptr<ErrorScope> &former) const;

  ForkGuard guard;
  mutable std::mutex mutex;
  mutable std::shared_ptr<ErrorScope> current; ///< guarded by mutex
};

/// The asynchronous errors of a context's streams, including streams that have ended.
class ContextErrors {
public:
  /// Adds a stream. Drops streams that have ended, or shortens them to their first error.
  void add(std::shared_ptr<StreamErrors> stream);

  /// The end of each stream's work so far.
  std::vector<WorkPlace> now();
  /// Takes and throws the errors of the work before \p places, which is done, and the errors of
  /// streams that have ended.
  void rethrow(const std::vector<WorkPlace> &places);

private:
  std::mutex mutex;
  std::set<std::shared_ptr<StreamErrors>> streams; ///< guarded by mutex
  TakenErrors ended;                               ///< guarded by mutex
};

} // namespace spl::detail

#endif

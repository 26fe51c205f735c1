// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong in the queued work of streams and nobody was told of yet. Shared by the work, its
// stream, the events after it and the context, any of which may be the last to end.
#ifndef SPL_RUNTIME_CORE_OUTCOME_H
#define SPL_RUNTIME_CORE_OUTCOME_H

#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <set>

namespace spl::detail {

/// The outcome of one stream's work, or of one graph's functions.
class Outcome {
public:
  /// Keeps the first failure that nobody was told of; \p number says which piece of work it was.
  void fail(std::exception_ptr thrown, std::uint64_t number = 0);
  std::exception_ptr current() const;

  /// Throws what is kept, and forgets it, if it is of the first \p among pieces of work.
  void rethrow(std::uint64_t among = std::numeric_limits<std::uint64_t>::max());
  /// The same, if it is still \p known.
  void rethrow(const std::exception_ptr &known);

private:
  mutable std::mutex mutex;
  std::exception_ptr failure; ///< guarded by mutex, as is its number
  std::uint64_t failed = 0;
};

/// The outcomes of a context's streams, also of those that have ended.
class Outcomes {
public:
  /// May be called again for the same one. Those that have come to nothing go.
  void add(std::shared_ptr<Outcome> outcome);

  /// Throws one failure that is kept, and forgets it; the next call throws the next.
  void rethrow();

private:
  std::mutex mutex;
  std::set<std::shared_ptr<Outcome>> all; ///< guarded by mutex
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A timeline of what ran when, written as Chrome's trace events: https://ui.perfetto.dev and
/// chrome://tracing show it. Pipeline and DataLoader write to one, and a program may add its own
/// work. May be used from many threads at once; it must outlive what writes to it.
#ifndef SPL_TRACE_H
#define SPL_TRACE_H

#include <spl/Cxx20.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace spl {

/// What ran when, as a timeline.
class Trace {
public:
  using Clock = std::chrono::steady_clock;

  /// One row of the timeline.
  class Lane {
  private:
    friend class Trace;
    explicit Lane(int number) : number(number) {}
    int number;
  };

  /// Times are shown from here on.
  Trace() : start(Clock::now()) {}

  /// A new row, below those before it. The name may be any text.
  Lane addLane(std::string name);

  /// Something that went on in \p lane from \p begin to \p end; spans of a lane do not overlap.
  /// \p batch is shown with it, if there is one.
  void span(Lane lane, std::string name, Clock::time_point begin, Clock::time_point end,
            std::optional<std::size_t> batch = std::nullopt);

  /// Writes all of it as JSON.
  void write(std::ostream &out) const;

  /// The same into the file \p path. Throws InvalidArgument, with what the system says, if it
  /// cannot be written.
  void save(const std::string &path) const;

private:
  struct Span {
    int lane;
    std::string name;
    Clock::time_point begin, end;
    std::optional<std::size_t> batch;
  };

  const Clock::time_point start;
  mutable std::mutex mutex;
  std::vector<std::string> lanes; ///< guarded by mutex
  std::deque<Span> spans;         ///< guarded by mutex
};

} // namespace spl

#endif

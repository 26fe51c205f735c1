// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Timelines in the format of Chrome's trace events, which https://ui.perfetto.dev and
/// chrome://tracing show. Pipeline and DataLoader add spans to a trace, and a program may add its
/// own. Many threads may use a trace at once. A trace must outlive the objects that use it.
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

/// A timeline.
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

  /// Starts the timeline at the current time.
  Trace() : start(Clock::now()) {}

  /// Adds a row below the other rows. The name may be any text.
  Lane addLane(std::string name);

  /// Adds a span from \p begin to \p end to \p lane. Spans of a lane must not overlap. The span
  /// shows the number \p batch, if there is one.
  void span(Lane lane, std::string name, Clock::time_point begin, Clock::time_point end,
            std::optional<std::size_t> batch = std::nullopt);

  /// Writes the timeline as JSON.
  void write(std::ostream &out) const;

  /// Writes the timeline to the file \p path. Throws InvalidArgument with the system's message if
  /// the file cannot be written.
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

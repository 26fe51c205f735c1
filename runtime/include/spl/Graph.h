// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Work that is recorded once and run many times for the cost of one launch. A Graph is the record,
/// a GraphExec what runs; both are move-only, used from one thread at a time, and keep the memory
/// and the modules alive that their work uses. Host memory of transfers is the caller's to keep.
#ifndef SPL_GRAPH_H
#define SPL_GRAPH_H

#include <spl/Cxx20.h>

#include <spl/Launch.h>
#include <spl/Module.h>
#include <spl/Stream.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace spl {

namespace detail {
class BackendGraph;
class BackendGraphExec;
} // namespace detail

/// A graph made ready to run.
class GraphExec {
public:
  GraphExec(GraphExec &&) noexcept;
  GraphExec &operator=(GraphExec &&) noexcept;
  ~GraphExec();

  /// Runs all of it in \p stream, of the same context. Returns before it is done.
  void launch(const Stream &stream) const;

  /// Gives the launch at \p index (Graph::launches) new arguments from the next run on;
  /// checked as Context::launch does.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  void setArguments(std::size_t index, Args &&...args) {
    return detail::withArguments(
        [&](std::span<const Argument> list) { setLaunch(index, nullptr, list); },
        std::forward<Args>(args)...);
  }

  /// The same with arguments collected at run time; \p config is null for the geometry it has.
  void setLaunch(std::size_t index, const LaunchConfig *config,
                 std::span<const Argument> arguments);

private:
  friend class Graph;
  struct State;
  explicit GraphExec(std::unique_ptr<State> state);
  State &usable() const;

  std::unique_ptr<State> state;
};

/// What a stretch of a stream did.
class Graph {
public:
  /// Records what \p work gives to \p stream, and to streams that wait for events of it meanwhile;
  /// nothing of it runs. Such streams must be waited for again before \p work ends. What names no
  /// stream, as launch and upload do, is not recorded but runs at once. What \p work throws ends
  /// the record and is thrown on. Where another thread waits for one of these streams, as for an
  /// array that it used, or for the context, they take part when that has ended. Throws
  /// InvalidArgument for the default stream.
  template <typename Work> static Graph capture(const Stream &stream, Work &&work) {
    Recording recording(stream);
    std::forward<Work>(work)();
    return recording.finish();
  }

  Graph(Graph &&) noexcept;
  Graph &operator=(Graph &&) noexcept;
  ~Graph();

  /// The kernels that it launches, in the order they were given.
  std::vector<Kernel> launches() const;

  GraphExec instantiate() const;

private:
  /// A capture in progress; given up if it ends unfinished.
  class Recording {
  public:
    explicit Recording(const Stream &stream);
    ~Recording();
    Graph finish();

  private:
    std::shared_ptr<detail::BackendContext> opened;
    std::shared_ptr<detail::BackendStream> stream; ///< null when it is finished
  };

  Graph(std::shared_ptr<detail::BackendContext> opened,
        std::unique_ptr<detail::BackendGraph> graph);
  detail::BackendGraph &usable() const;

  std::shared_ptr<detail::BackendContext> opened;
  std::unique_ptr<detail::BackendGraph> graph;
};

} // namespace spl

#endif

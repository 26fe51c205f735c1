// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Graphs: work that is recorded once and run many times, for the cost of one launch each. A Graph
/// is the recorded work, a GraphExec an executable form of it. Both are move-only and used from one
/// thread at a time. They keep the device memory and the modules of their work alive; the caller
/// keeps the host memory of transfers.
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

/// A graph that can run.
class GraphExec {
public:
  GraphExec(GraphExec &&) noexcept;
  GraphExec &operator=(GraphExec &&) noexcept;
  ~GraphExec();

  /// Runs the graph in \p stream, a stream of the same context. Returns before it is done.
  void launch(const Stream &stream) const;

  /// Gives the launch at \p index of Graph::launches new arguments, from the next run on. Checks
  /// them as Context::launch does.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  void setArguments(std::size_t index, Args &&...args) {
    return detail::withArguments(
        [&](std::span<const Argument> list) { setLaunch(index, nullptr, list); },
        std::forward<Args>(args)...);
  }

  /// The same with arguments collected at run time. Keeps the geometry if \p config is null.
  void setLaunch(std::size_t index, const LaunchConfig *config,
                 std::span<const Argument> arguments);

private:
  friend class Graph;
  struct State;
  explicit GraphExec(std::unique_ptr<State> state);
  State &usable() const;

  std::unique_ptr<State> state;
};

/// The recorded work of a stream.
class Graph {
public:
  /// Calls \p work and records the operations that it enqueues in \p stream. None of them runs.
  ///
  /// - A stream that waits for an event recorded in the capture takes part. \p stream must wait for
  ///   its work again before \p work returns.
  /// - Calls without a stream, such as launch and upload, are not recorded and run at once.
  /// - An exception of \p work ends the capture and is thrown on.
  /// - If another thread waits for one of these streams or for the context, the stream takes part
  ///   when that wait has ended.
  ///
  /// Throws InvalidArgument for the default stream.
  template <typename Work> static Graph capture(const Stream &stream, Work &&work) {
    Recording recording(stream);
    std::forward<Work>(work)();
    return recording.finish();
  }

  Graph(Graph &&) noexcept;
  Graph &operator=(Graph &&) noexcept;
  ~Graph();

  /// The kernels of the graph's launches, in the order of the calls.
  std::vector<Kernel> launches() const;

  GraphExec instantiate() const;

private:
  /// A capture in progress. Its destructor drops a capture that is not finished.
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

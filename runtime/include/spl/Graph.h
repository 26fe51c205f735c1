// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Graphs. A Graph holds operations that were recorded once. A GraphExec is its executable form,
/// which runs many times; each run costs one launch. Both are move-only, and only one thread at a
/// time may use an object. They keep the device memory and the modules of their operations alive.
/// The caller must keep the host memory of transfers alive.
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

/// The executable form of a graph.
class GraphExec {
public:
  GraphExec(GraphExec &&) noexcept;
  GraphExec &operator=(GraphExec &&) noexcept;
  ~GraphExec();

  /// Runs the graph in \p stream, a stream of the same context. Returns before the run is done.
  void launch(const Stream &stream) const;

  /// Sets the arguments of the launch at \p index of Graph::launches, for all later runs. Checks
  /// them as Context::launch does.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  void setArguments(std::size_t index, Args &&...args) {
    return detail::withArguments(
        [&](std::span<const Argument> list) { setLaunch(index, nullptr, list); },
        std::forward<Args>(args)...);
  }

  /// As setArguments, with a list of arguments that is built at run time. Sets the geometry too,
  /// unless \p config is null.
  void setLaunch(std::size_t index, const LaunchConfig *config,
                 std::span<const Argument> arguments);

private:
  friend class Graph;
  struct State;
  explicit GraphExec(std::unique_ptr<State> state);
  State &usable() const;

  std::unique_ptr<State> state;
};

/// The recorded operations of a stream.
class Graph {
public:
  /// Calls \p work and records the operations that it enqueues in \p stream. None of them runs.
  ///
  /// - Another stream that waits for an event recorded in the capture takes part in the capture.
  ///   Before \p work returns, \p stream must wait for an event recorded after that stream's work.
  /// - Calls without a stream, such as launch and upload, are not recorded. They run at once.
  /// - An exception of \p work ends the capture and reaches the caller.
  /// - A stream cannot take part while another thread waits for it or for the context. The call by
  ///   which the stream would take part blocks until that wait has ended.
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
  /// A capture in progress. Its destructor discards a capture that is not finished.
  class Recording {
  public:
    explicit Recording(const Stream &stream);
    ~Recording();
    Graph finish();

  private:
    std::shared_ptr<detail::BackendContext> opened;
    std::shared_ptr<detail::BackendStream> stream; ///< null after finish()
  };

  Graph(std::shared_ptr<detail::BackendContext> opened,
        std::unique_ptr<detail::BackendGraph> graph);
  detail::BackendGraph &usable() const;

  std::shared_ptr<detail::BackendContext> opened;
  std::unique_ptr<detail::BackendGraph> graph;
};

} // namespace spl

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Graph.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Geometry.h"
#include "runtime/system/Checks.h"
#include "spl/Error.h"

namespace spl {

using detail::refuse;

Graph::Recording::Recording(const Stream &given)
    : opened(given.context()), stream(given.backend()) {
  if (stream == opened->defaultStream())
    refuse("capture: the default stream cannot be captured", "make a stream and capture that");
  ++opened->captures; // incremented first, because a wait for the context tests it
  try {
    stream->beginCapture();
  } catch (...) {
    --opened->captures;
    throw;
  }
}

Graph::Recording::~Recording() {
  if (stream && opened->inMakingProcess())
    stream->dropCapture();
  --opened->captures;
}

Graph Graph::Recording::finish() {
  opened->requireMakingProcess(); // the function work may have forked
  const std::shared_ptr<detail::BackendStream> captured = std::move(stream);
  return Graph(opened, captured->endCapture());
}

Graph::Graph(std::shared_ptr<detail::BackendContext> opened,
             std::unique_ptr<detail::BackendGraph> graph)
    : opened(std::move(opened)), graph(std::move(graph)) {}
Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&other) noexcept {
  graph = std::move(other.graph); // the graph is destroyed before its context
  opened = std::move(other.opened);
  return *this;
}
Graph::~Graph() = default;

std::vector<Kernel> Graph::launches() const {
  std::vector<Kernel> kernels;
  for (const detail::BackendGraph::Launch &launch : usable().launches)
    kernels.push_back(Kernel(launch.module, launch.kernel));
  return kernels;
}

detail::BackendGraph &Graph::usable() const {
  if (!graph)
    refuse("the graph was moved from");
  opened->requireMakingProcess();
  return *graph;
}

struct GraphExec::State {
  std::shared_ptr<detail::BackendContext> opened;
  std::shared_ptr<detail::BackendGraphExec> exec;
};

GraphExec::GraphExec(std::unique_ptr<State> state) : state(std::move(state)) {}
GraphExec::GraphExec(GraphExec &&) noexcept = default;
GraphExec &GraphExec::operator=(GraphExec &&) noexcept = default;
GraphExec::~GraphExec() = default;

GraphExec Graph::instantiate() const {
  return GraphExec(std::make_unique<GraphExec::State>(opened, usable().instantiate()));
}

GraphExec::State &GraphExec::usable() const {
  if (!state)
    refuse("the graph was moved from");
  state->opened->requireMakingProcess();
  return *state;
}

void GraphExec::launch(const Stream &stream) const {
  usable();
  detail::requireStreamOf(state->opened, "the context that captured the graph", stream, "launch");
  if (stream.backend()->isCapturing())
    refuse("launch: the stream is being captured, and a graph inside of another is not supported",
           "give the work itself to the stream");
  stream.backend()->launch(state->exec);
}

void GraphExec::setLaunch(std::size_t index, const LaunchConfig *config,
                          std::span<const Argument> arguments) {
  std::vector<detail::BackendGraph::Launch> &launches = usable().exec->launches;
  if (index >= launches.size())
    refuse("the graph has " + std::to_string(launches.size()) + " launches; there is no launch " +
           std::to_string(index));
  detail::BackendGraph::Launch &launch = launches[index];
  const Signature &signature = launch.module->kernels[launch.kernel];
  detail::BoundArguments bound(signature, arguments, *state->opened);
  detail::Geometry geometry = launch.geometry;
  if (config) {
    std::optional<detail::Geometry> given =
        detail::geometryOf(*config, state->opened->info.limits, signature);
    if (!given)
      refuse("a launch of a graph cannot become one without work-items");
    geometry = *given;
  }
  state->exec->setLaunch(index, {launch.module, launch.kernel, geometry, bound});
  launch.geometry = geometry;
  launch.memory.assign(bound.memory().begin(), bound.memory().end());
}

} // namespace spl

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/graph.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Launch.h"
#include "runtime/c/Objects.h"
#include "spl/Graph.h"

using namespace spl;
using namespace spl::capi;

struct spl::capi::GraphObject {
  Graph graph;
};

struct spl::capi::GraphExecObject : OneAtATime {
  explicit GraphExecObject(GraphExec exec) : exec(std::move(exec)) {}
  GraphExec exec;
};

namespace {

/// Holds the use of the streams that join a capture until the capture ends.
class Capturing {
public:
  Capturing() : outer(std::exchange(capturedStreams, &joined)) {}
  ~Capturing() { capturedStreams = outer; }
  Capturing(const Capturing &) = delete;
  Capturing &operator=(const Capturing &) = delete;

private:
  std::list<StreamUse> joined;
  std::list<StreamUse> *const outer;
};

} // namespace

extern "C" {

spl_status spl_graph_capture(spl_stream stream, spl_status (*work)(void *user), void *user,
                             spl_graph *graph) {
  return call([&] {
    requirePointer(graph, "graph");
    requirePointer(work, "work");
    const StreamUse in(stream, StreamUse::Exclusive);
    const Capturing capturing;
    *graph = makeObject<GraphObject>(
        Graph::capture(*in, [&] { callBack("the work of a graph", [&] { return work(user); }); }));
  });
}

spl_status spl_graph_launch_count(spl_graph graph, size_t *count) {
  return call([&] {
    requirePointer(count, "count");
    *count = object<GraphObject>(graph)->graph.launches().size();
  });
}

spl_status spl_graph_kernel_at(spl_graph graph, size_t index, spl_kernel *kernel) {
  return call([&] {
    requirePointer(kernel, "kernel");
    *kernel = makeKernel(at(object<GraphObject>(graph)->graph.launches(), index, "launches"));
  });
}

spl_status spl_graph_instantiate(spl_graph graph, spl_graph_exec *exec) {
  return call([&] {
    requirePointer(exec, "exec");
    const auto of = object<GraphObject>(graph);
    *exec = makeHandle(std::make_shared<GraphExecObject>(of->graph.instantiate()));
  });
}

spl_status spl_graph_free(spl_graph graph) {
  return call([&] { freeHandle<GraphObject>(graph); });
}

spl_status spl_graph_exec_launch(spl_graph_exec exec, spl_stream stream) {
  return call([&] {
    const StreamUse in(stream);
    ExclusiveUse<GraphExecObject>(exec)->exec.launch(*in);
  });
}

spl_status spl_graph_exec_set_launch(spl_graph_exec exec, size_t index,
                                     const spl_launch_config *config, const spl_argument *arguments,
                                     size_t count) {
  return call([&] {
    const ExclusiveUse<GraphExecObject> of(exec);
    const Arguments list(arguments, count, nullptr);
    LaunchConfig geometry;
    if (config)
      geometry = launchConfig(config);
    of->exec.setLaunch(index, config ? &geometry : nullptr, list.all());
  });
}

spl_status spl_graph_exec_free(spl_graph_exec exec) {
  return call([&] { freeHandle<GraphExecObject>(exec); });
}

} // extern "C"

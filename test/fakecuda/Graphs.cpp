// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: their instantiation and their launches.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

/// The nodes in an order that respects their dependencies: the order of capture, or a random one.
static GraphWork inOrder(const GraphExec &exec) {
  GraphWork work;
  std::vector<const Node *> waiting;
  for (const Node &node : exec.nodes)
    waiting.push_back(&node);
  std::set<CuGraphNode> done;
  while (!waiting.empty()) {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i != waiting.size(); ++i)
      if (std::all_of(waiting[i]->dependencies.begin(), waiting[i]->dependencies.end(),
                      [&](CuGraphNode node) { return done.count(node) != 0; }))
        ready.push_back(i);
    const std::size_t chosen = ready[state().visible.seed ? state().random() % ready.size() : 0];
    work.nodes.push_back(waiting[chosen]->work);
    done.insert(waiting[chosen]->handle);
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return work;
}

extern "C" {

CuResult cuGraphInstantiateWithFlags(CuGraphExec *exec, CuGraph handle, unsigned long long flags) {
  return enter("cuGraphInstantiateWithFlags", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Graph> graph = call.find(state().graphs, handle, "graph");
    if (!graph)
      return give(InvalidHandle);
    if (flags != 0)
      return give(NotSupported);
    *exec = state().execs.add(
        std::make_shared<GraphExec>(GraphExec{graph->context, graph->nodes, graph}));
    state().count();
    return CuResult::Success;
  });
}

CuResult cuGraphLaunch(CuGraphExec handle, CuStream stream) {
  return enter("cuGraphLaunch", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<GraphExec> exec = call.find(state().execs, handle, "graph exec");
    if (!exec)
      return give(InvalidHandle);
    if (exec->context != call.sharedContext())
      return call.misuse("of a graph of another context", InvalidContext);
    return call.enqueue(stream, {inOrder(*exec)});
  });
}

CuResult cuGraphExecKernelNodeSetParams(CuGraphExec handle, CuGraphNode nodeHandle,
                                        const CuKernelNodeParams *params) {
  return enter("cuGraphExecKernelNodeSetParams", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<GraphExec> exec = call.find(state().execs, handle, "graph exec");
    const std::shared_ptr<Function> function =
        call.find(state().functions, params->function, "function");
    if (!exec || !function)
      return give(InvalidHandle);
    // As in CUDA, the node is looked up in the original graph.
    const std::shared_ptr<Graph> graph = exec->graph.lock();
    auto node = std::find_if(exec->nodes.begin(), exec->nodes.end(),
                             [&](const Node &each) { return each.handle == nodeHandle; });
    if (!graph || node == exec->nodes.end())
      return call.misuse("of a node of no graph");
    const auto *old = std::get_if<LaunchWork>(&node->work->what);
    if (!old || params->extra)
      return call.misuse("of what is no launch");
    if (function->module->context != exec->context)
      return call.misuse("with a kernel of another context");
    if (state().visible.driverVersion < 12000 && function != old->function)
      return give(InvalidValue);
    LaunchWork work{function,
                    {params->gridX, params->gridY, params->gridZ},
                    {params->blockX, params->blockY, params->blockZ},
                    params->sharedBytes,
                    old->isCooperative, // an attribute of the node
                    {}};
    if (const CuResult result = checkLaunch(work); result != CuResult::Success)
      return result;
    work.take(params->params);
    node->work = std::make_shared<const Work>(Work{std::move(work)});
    return CuResult::Success;
  });
}

CuResult cuGraphExecMemsetNodeSetParams(CuGraphExec handle, CuGraphNode nodeHandle,
                                        const CuMemsetNodeParams *params, CuContext) {
  return enter("cuGraphExecMemsetNodeSetParams", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<GraphExec> exec = call.find(state().execs, handle, "graph exec");
    if (!exec)
      return give(InvalidHandle);
    const std::shared_ptr<Graph> graph = exec->graph.lock();
    auto node = std::find_if(exec->nodes.begin(), exec->nodes.end(),
                             [&](const Node &each) { return each.handle == nodeHandle; });
    if (!graph || node == exec->nodes.end())
      return call.misuse("of a node of no graph");
    const auto *old = std::get_if<FillWork>(&node->work->what);
    if (!old)
      return call.misuse("of what is no fill");
    if (params->height != 1 ||
        !call.context().memory.find(params->address, params->width * params->elementSize))
      return give(InvalidValue);
    node->work = std::make_shared<const Work>(
        Work{FillWork{params->address, params->value, params->elementSize, params->width}});
    return CuResult::Success;
  });
}

CuResult cuGraphExecDestroy(CuGraphExec handle) {
  return enter("cuGraphExecDestroy", InContext | Releases, [&](Call &call) -> CuResult {
    if (!state().execs.erase(handle))
      return call.misuse("of what is no graph exec");
    state().count();
    return CuResult::Success;
  });
}

CuResult cuGraphDestroy(CuGraph handle) {
  return enter("cuGraphDestroy", Releases, [&](Call &call) -> CuResult {
    if (!state().graphs.erase(handle))
      return call.misuse("of what is no graph");
    state().count();
    return CuResult::Success;
  });
}

} // extern "C"

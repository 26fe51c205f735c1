// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaGraph.h"

#include "runtime/backends/cuda/CudaModule.h"

namespace spl::detail {

CudaRecord::~CudaRecord() {
  if (context->inMakingProcess()) // a graph belongs to no context, so none is made current
    context->driver.graphDestroy(graph);
}

/// The node of the latest operation in \p stream, on which its later work would depend; null if
/// there is not exactly one.
CuGraphNode CudaGraph::latestNode(CuStream stream) const {
  int status = 0;
  std::uint64_t id = 0;
  CuGraph captured = nullptr;
  const CuGraphNode *last = nullptr;
  std::size_t count = 0;
  context->call(context->driver.streamGetCaptureInfo, stream, &status, &id, &captured, &last,
                &count);
  return count == 1 ? *last : nullptr;
}

CuGraphNode CudaGraph::addCounter(CuStream stream) {
  context->driver.graphExecMemsetNodeSetParams.require();
  if (!counter)
    counter = context->makeCounter();
  context->call(context->driver.memsetD32Async, counter->address(), 0u, std::size_t{1}, stream);
  return latestNode(stream);
}

void CudaGraph::addLaunch(CuStream stream, const LaunchRequest &request, CuGraphNode clearing) {
  Node &node = nodes.emplace_back(Node{latestNode(stream), clearing, {}, nullptr});
  if (!takesFaultRecord(*request.module, request.kernel))
    return;
  node.params = *KernelParams(request, /*inGraph=*/true, /*record=*/nullptr);
  node.arguments = std::make_shared<const OwnedArguments>(request.arguments);
}

void CudaGraph::finish(CuStream stream) {
  CuGraph graph = nullptr;
  context->call(context->driver.streamEndCapture, stream, &graph);
  record = std::make_shared<CudaRecord>(context, graph);
}

std::unique_ptr<BackendGraphExec> CudaGraph::instantiate() const {
  return std::make_unique<CudaGraphExec>(*this, record);
}

CudaGraphExec::CudaGraphExec(const CudaGraph &graph, std::shared_ptr<const CudaRecord> given)
    : BackendGraphExec(graph), calls(graph.calls), context(graph.context),
      record(std::move(given)) {
  CudaContext::Current current = context->enter();
  context->call(context->driver.graphInstantiate, &exec, record->graph, 0ull);
  try {
    addFaultRecords(graph);
  } catch (...) {
    context->driver.graphExecDestroy(exec);
    throw;
  }
}

void CudaGraphExec::addFaultRecords(const CudaGraph &graph) {
  FaultRecordSet all;
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    const CudaGraph::Node &node = graph.nodes[index];
    nodes.push_back(node.node);
    recordOf.emplace_back();
    if (!node.arguments)
      continue;
    const BackendGraph::Launch &launch = graph.launches[index];
    recordOf[index] = context->makeFaultRecord(node.clearing != nullptr);
    describe(*recordOf[index], *launch.module, launch.kernel, launch.geometry);
    if (node.clearing) {
      const CuMemsetNodeParams clear = {.address = recordOf[index]->counterAddress()};
      context->call(context->driver.graphExecMemsetNodeSetParams, exec, node.clearing, &clear,
                    context->primary);
    }
    const KernelParams params(node.params, node.arguments->params(), *recordOf[index]);
    context->call(context->driver.graphExecKernelNodeSetParams, exec, node.node, &*params);
    all.push_back(recordOf[index]);
  }
  records = std::make_shared<const FaultRecordSet>(std::move(all));
}

CudaGraphExec::~CudaGraphExec() {
  if (!context->inMakingProcess())
    return;
  CudaContext::Current current(*context);
  if (current)
    // The driver's manual says that a run in progress ends first.
    context->driver.graphExecDestroy(exec);
}

void CudaGraphExec::setLaunch(std::size_t index, const LaunchRequest &request) {
  CudaContext::Current current = context->enter();
  const std::shared_ptr<FaultRecord> &record = recordOf[index];
  const KernelParams params(request, /*inGraph=*/true, record.get());
  context->call(context->driver.graphExecKernelNodeSetParams, exec, nodes[index], &*params);
  if (record)
    describe(*record, *request.module, request.kernel, request.geometry);
}

} // namespace spl::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaGraph.h"

#include "runtime/backends/cuda/CudaModule.h"

namespace spl::detail {

CudaRecord::~CudaRecord() {
  if (context->inMakingProcess()) // a graph belongs to no context, so none is made current
    context->driver.graphDestroy(graph);
}

void CudaGraph::addLaunch(CuStream stream) {
  int status = 0;
  std::uint64_t id = 0;
  CuGraph captured = nullptr;
  const CuGraphNode *last = nullptr; // the node on which later work of the stream would depend
  std::size_t count = 0;
  context->call(context->driver.streamGetCaptureInfo, stream, &status, &id, &captured, &last,
                &count);
  nodes.push_back(count == 1 ? *last : nullptr);
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
    : BackendGraphExec(graph), calls(graph.calls), context(graph.context), record(std::move(given)),
      nodes(graph.nodes) {
  CudaContext::Current current = context->enter();
  context->call(context->driver.graphInstantiate, &exec, record->graph, 0ull);
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
  const CuKernelNodeParams params = kernelParams(request, /*inGraph=*/true);
  context->call(context->driver.graphExecKernelNodeSetParams, exec, nodes[index], &params);
}

} // namespace spl::detail

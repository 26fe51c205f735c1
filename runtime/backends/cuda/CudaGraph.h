// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's graphs, recorded from streams.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAGRAPH_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAGRAPH_H

#include "runtime/backends/cuda/CudaContext.h"
#include "runtime/backends/cuda/HostCalls.h"

#include <memory>
#include <vector>

namespace spl::detail {

class CudaGraph final : public BackendGraph {
public:
  explicit CudaGraph(std::shared_ptr<CudaContext> context) : context(std::move(context)) {}

  std::unique_ptr<BackendGraphExec> instantiate() const override;

  /// Adds the node of the latest launch in \p stream to the nodes.
  void addLaunch(CuStream stream);
  /// Ends the capture of \p stream, which began it.
  void finish(CuStream stream);

  const std::shared_ptr<CudaContext> context;
  std::vector<CuGraphNode> nodes; ///< the nodes of the launches
  std::shared_ptr<HostCalls> calls = std::make_shared<HostCalls>();

private:
  std::shared_ptr<const struct CudaRecord> record;
};

/// The driver's graph. Its nodes are valid as long as this object.
struct CudaRecord {
  CudaRecord(std::shared_ptr<CudaContext> context, CuGraph graph)
      : context(std::move(context)), graph(graph) {}
  ~CudaRecord();

  const std::shared_ptr<CudaContext> context;
  const CuGraph graph;
};

class CudaGraphExec final : public BackendGraphExec {
public:
  CudaGraphExec(const CudaGraph &graph, std::shared_ptr<const CudaRecord> record);
  ~CudaGraphExec() override;

  void setLaunch(std::size_t index, const LaunchRequest &request) override;

  CuGraphExec handle() const { return exec; }

  const std::shared_ptr<HostCalls> calls; ///< the host functions of its nodes

private:
  const std::shared_ptr<CudaContext> context;
  const std::shared_ptr<const CudaRecord> record; ///< keeps the nodes valid for setLaunch
  const std::vector<CuGraphNode> nodes;
  CuGraphExec exec = nullptr;
};

} // namespace spl::detail

#endif

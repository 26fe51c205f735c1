// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's graphs, recorded from streams.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAGRAPH_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAGRAPH_H

#include "runtime/backends/cuda/CudaContext.h"
#include "runtime/backends/cuda/HostCalls.h"
#include "runtime/launch/Arguments.h"

#include <memory>
#include <vector>

namespace spl::detail {

class CudaGraph final : public BackendGraph {
public:
  explicit CudaGraph(std::shared_ptr<CudaContext> given)
      : context(std::move(given)), calls(std::make_shared<HostCalls>(context->faults)) {}

  std::unique_ptr<BackendGraphExec> instantiate() const override;

  /// Captures the node that clears the counter of a launch that follows in \p stream, and returns
  /// it. Its address is a placeholder, because each exec has separate counters.
  CuGraphNode addCounter(CuStream stream);
  /// Adds the node of the latest launch in \p stream, which was captured with a null record.
  /// \p clearing is the node of addCounter, or null.
  void addLaunch(CuStream stream, const LaunchRequest &request, CuGraphNode clearing);
  /// Ends the capture of \p stream, which began it.
  void finish(CuStream stream);

  const std::shared_ptr<CudaContext> context;
  /// The node of a launch. A launch whose kernel takes a fault record was captured with a null
  /// record, because each exec has separate records.
  struct Node {
    CuGraphNode node;
    CuGraphNode clearing;      ///< clears the counter of its grid barriers; null without one
    CuKernelNodeParams params; ///< without the arguments
    std::shared_ptr<const OwnedArguments> arguments; ///< null for a kernel without a record
  };
  std::vector<Node> nodes; ///< the nodes of the launches
  const std::shared_ptr<HostCalls> calls;

private:
  CuGraphNode latestNode(CuStream stream) const;

  std::shared_ptr<const struct CudaRecord> record;
  std::shared_ptr<GridCounter> counter; ///< the placeholder
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
  /// The records of its launches that take one.
  std::shared_ptr<const FaultRecordSet> faultRecords() const { return records; }

private:
  void addFaultRecords(const CudaGraph &graph);

  const std::shared_ptr<CudaContext> context;
  const std::shared_ptr<const CudaRecord> record; ///< keeps the nodes valid for setLaunch
  std::vector<CuGraphNode> nodes;
  std::vector<std::shared_ptr<FaultRecord>> recordOf; ///< for each launch its record, or null
  std::shared_ptr<const FaultRecordSet> records;
  CuGraphExec exec = nullptr;
};

} // namespace spl::detail

#endif

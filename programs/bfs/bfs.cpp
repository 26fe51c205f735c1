// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <queue>

namespace programs {
namespace {

struct Node {
  std::int32_t first, degree;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<std::int32_t> edges;
};

/// The first node has 7 edges to random nodes, the others have up to 7. Some nodes cannot be
/// reached.
Graph makeGraph(Run &run, std::size_t size) {
  Graph graph;
  for (std::size_t i = 0; i < size; ++i) {
    const auto first = static_cast<std::int32_t>(graph.edges.size());
    const std::int32_t degree = i == 0 ? 7 : run.below(8);
    for (std::int32_t k = 0; k < degree; ++k)
      graph.edges.push_back(static_cast<std::int32_t>(run.below(size)));
    graph.nodes.push_back({first, degree});
  }
  return graph;
}

std::vector<std::int32_t> reference(const Graph &graph) {
  std::vector<std::int32_t> distance(graph.nodes.size(), -1);
  std::queue<std::int32_t> waiting({0});
  distance[0] = 0;
  for (; !waiting.empty(); waiting.pop()) {
    const Node node = graph.nodes[waiting.front()];
    for (std::int32_t k = node.first; k < node.first + node.degree; ++k)
      if (const std::int32_t other = graph.edges[k]; distance[other] == -1) {
        distance[other] = distance[waiting.front()] + 1;
        waiting.push(other);
      }
  }
  return distance;
}

} // namespace

void bfs(Run &run) {
  const Graph graph = makeGraph(run, run.scaled(1000));
  const std::size_t size = graph.nodes.size();
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto nodes = context.allocUpload(graph.nodes);
  const auto edges = context.allocUpload(graph.edges);
  auto distance = context.alloc<std::int32_t>(size);
  distance.fill(-1);
  distance.view(0, 1).fill(0);
  auto reached = context.allocZeros<std::uint8_t>(size);
  auto more = context.allocZeros<std::uint32_t>(1);

  const spl::LaunchConfig all{.global = {static_cast<std::int64_t>(size)}};
  for (std::int32_t level = 0; level == 0 || more.download()[0]; ++level) {
    more.fill(0);
    run.launch(kernels["expand"], all, nodes, edges, level, distance, reached);
    run.launch(kernels["settle"], all, level, reached, distance, more);
  }
  run.expectEqual("distance", distance.download(), reference(graph));
}

} // namespace programs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

using Numbers = std::vector<std::int32_t>;

struct Node {
  std::int32_t first, degree;
};

struct Graph {
  std::vector<Node> nodes;
  Numbers edges;
};

/// Nodes have up to 7 edges.
Graph makeGraph(Case &c, std::int32_t size) {
  Graph graph;
  for (std::int32_t i = 0; i < size; ++i) {
    const std::int32_t degree = i == 0 ? 7 : c.draw(0, 8);
    graph.nodes.push_back({static_cast<std::int32_t>(graph.edges.size()), degree});
    for (std::int32_t k = 0; k < degree; ++k)
      graph.edges.push_back(c.draw(0, size));
  }
  return graph;
}

/// By levels. Each thread collects the next nodes that it finds, and adds them at the end.
void twin(const Graph &graph, std::int32_t *distance) {
  std::fill_n(distance, graph.nodes.size(), -1);
  distance[0] = 0;
  Numbers frontier = {0}, next;
  for (std::int32_t level = 1; !frontier.empty(); ++level) {
    next.clear();
#pragma omp parallel
    {
      Numbers mine;
#pragma omp for schedule(dynamic, 256)
      for (std::size_t i = 0; i < frontier.size(); ++i) {
        const Node node = graph.nodes[frontier[i]];
        for (std::int32_t k = node.first; k < node.first + node.degree; ++k) {
          std::int32_t *other = &distance[graph.edges[k]];
          std::int32_t unreached = -1;
          if (__atomic_load_n(other, __ATOMIC_RELAXED) == -1 &&
              __atomic_compare_exchange_n(other, &unreached, level, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
            mine.push_back(graph.edges[k]);
        }
      }
#pragma omp critical
      next.insert(next.end(), mine.begin(), mine.end());
    }
    std::swap(frontier, next);
  }
}

} // namespace

void bfs(Case &c) {
  const std::int64_t n = c.size(1 << 20, 1001);
  const Graph graph = makeGraph(c, static_cast<std::int32_t>(n));
  const auto nodes = c.context().allocUpload(graph.nodes);
  const auto edges = c.context().allocUpload(graph.edges);
  auto distance = c.zeros<std::int32_t>(n), distanceTwin = c.zeros<std::int32_t>(n);
  auto reached = c.zeros<std::uint8_t>(n);
  auto more = c.zeros<std::uint32_t>(1);
  const spl::Module kernels = c.load("programs/bfs/bfs.spl");
  const spl::Kernel expand = kernels["expand"], settle = kernels["settle"];
  c.measure({.ours =
                 [&] {
                   distance.fill(-1);
                   host(distance)[0] = 0;
                   for (std::int32_t level = 0; level == 0 || host(more)[0]; ++level) {
                     more.fill(0);
                     c.launch(expand, {.global = {n}}, nodes, edges, level, distance, reached);
                     c.launch(settle, {.global = {n}}, level, reached, distance, more);
                   }
                 },
             .twin = [&] { twin(graph, host(distanceTwin)); },
             .compare = [&] { c.expectEqual("distance", distance, distanceTwin); }});
}

} // namespace bench::programs

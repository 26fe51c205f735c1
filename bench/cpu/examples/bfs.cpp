// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

using Nodes = std::vector<std::int32_t>;

struct Graph {
  Nodes starts = {0}, neighbours;
};

Graph randomGraph(Case &c, std::int32_t size) {
  Graph graph;
  for (std::int32_t i = 0; i < size; ++i) {
    for (int k = 0; k < 8; ++k)
      graph.neighbours.push_back(c.draw(0, size));
    graph.starts.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
  }
  return graph;
}

/// By levels. Each thread collects the next nodes that it finds, and adds them at the end.
void twin(const Graph &graph, std::int32_t *depth, std::int64_t n) {
  std::fill_n(depth, n, -1);
  depth[0] = 0;
  Nodes frontier = {0}, next;
  for (std::int32_t level = 1; !frontier.empty(); ++level) {
    next.clear();
#pragma omp parallel
    {
      Nodes mine;
#pragma omp for schedule(dynamic, 256)
      for (std::size_t i = 0; i < frontier.size(); ++i)
        for (std::int32_t k = graph.starts[frontier[i]]; k < graph.starts[frontier[i] + 1]; ++k) {
          const std::int32_t other = graph.neighbours[k];
          std::int32_t unreached = -1;
          if (__atomic_load_n(&depth[other], __ATOMIC_RELAXED) == -1 &&
              __atomic_compare_exchange_n(&depth[other], &unreached, level, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
            mine.push_back(other);
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
  const Graph graph = randomGraph(c, static_cast<std::int32_t>(n));
  const auto starts = c.context().allocUpload(graph.starts),
             neighbours = c.context().allocUpload(graph.neighbours);
  auto frontier = c.zeros<std::int32_t>(n), other = c.zeros<std::int32_t>(n);
  auto depth = c.zeros<std::int32_t>(n), depthTwin = c.zeros<std::int32_t>(n);
  auto found = c.zeros<std::int32_t>(1);
  const spl::Kernel kernel = c.load("examples/bfs.spl")["bfs_level"];
  c.measure({.ours =
                 [&] {
                   auto *from = &frontier, *to = &other;
                   depth.fill(-1);
                   host(depth)[0] = 0;
                   host(*from)[0] = 0;
                   for (std::int32_t size = 1, level = 1; size > 0;
                        ++level, size = host(found)[0]) {
                     host(found)[0] = 0;
                     c.launch(kernel, {.global = {size}}, starts, neighbours, *from, size, level,
                              depth, *to, found);
                     std::swap(from, to);
                   }
                 },
             .twin = [&] { twin(graph, host(depthTwin), n); },
             .compare = [&] { c.expectEqual("depth", depth, depthTwin); }});
}

} // namespace bench::examples

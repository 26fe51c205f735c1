// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr float Damping = 0.85f;
constexpr int Rounds = 20;

/// The edges into node i are those from sources[starts[i]] on.
struct Graph {
  std::vector<std::int32_t> starts = {0}, sources, degrees;
};

/// Most edges come from the first nodes, and many of the last ones have no successors.
Graph makeGraph(Case &c, std::int32_t size) {
  Graph graph;
  graph.degrees.resize(size);
  for (std::int32_t i = 0; i < size; ++i) {
    for (std::int32_t k = c.draw(0, 12); k > 0; --k) {
      const std::int32_t source = c.draw(0, 1 + c.draw(0, size));
      graph.sources.push_back(source);
      ++graph.degrees[source];
    }
    graph.starts.push_back(static_cast<std::int32_t>(graph.sources.size()));
  }
  return graph;
}

/// Returns the sum of the changes.
float twinRound(const Graph &graph, float *shares, float *ranks, std::int64_t n) {
  const std::int32_t *starts = graph.starts.data(), *sources = graph.sources.data(),
                     *degrees = graph.degrees.data();
  float lost = 0, change = 0;
#pragma omp parallel for simd reduction(+ : lost)
  for (std::int64_t i = 0; i < n; ++i) {
    shares[i] = degrees[i] > 0 ? ranks[i] / float(degrees[i]) : 0;
    lost += degrees[i] > 0 ? 0 : ranks[i];
  }
#pragma omp parallel for reduction(+ : change)
  for (std::int64_t i = 0; i < n; ++i) {
    float sum = lost / float(n);
    for (std::int32_t k = starts[i]; k < starts[i + 1]; ++k)
      sum += shares[sources[k]];
    const float rank = (1 - Damping) / float(n) + Damping * sum;
    change += std::abs(rank - ranks[i]);
    ranks[i] = rank;
  }
  return change;
}

} // namespace

/// With a fixed number of rounds, so that both do equal work.
void pagerank(Case &c) {
  const std::int64_t n = c.size(200'000, 1001);
  const Graph graph = makeGraph(c, static_cast<std::int32_t>(n));
  const auto starts = c.context().allocUpload(graph.starts),
             sources = c.context().allocUpload(graph.sources),
             degrees = c.context().allocUpload(graph.degrees);
  auto ranks = c.zeros<float>(n), ranksTwin = c.zeros<float>(n), shares = c.zeros<float>(n),
       sharesTwin = c.zeros<float>(n);
  auto lost = c.zeros<float>(1), change = c.zeros<float>(1), changeTwin = c.zeros<float>(1);
  const spl::Module kernels = c.load("programs/pagerank/pagerank.spl");
  c.measure({.ours =
                 [&] {
                   ranks.fill(1.0f / float(n));
                   for (int round = 0; round < Rounds; ++round) {
                     lost.fill(0);
                     change.fill(0);
                     c.launch(kernels["share"], {.global = {n}}, ranks, degrees, shares, lost);
                     c.launch(kernels["gather"], {.global = {n}}, starts, sources, shares, lost,
                              Damping, ranks, change);
                   }
                 },
             .twin =
                 [&] {
                   ranksTwin.fill(1.0f / float(n));
                   for (int round = 0; round < Rounds; ++round)
                     host(changeTwin)[0] = twinRound(graph, host(sharesTwin), host(ranksTwin), n);
                 },
             .compare =
                 [&] {
                   c.expectNear("ranks", ranks, ranksTwin, 1e-3, 1 / double(n));
                   c.expectNear("change", change, changeTwin, 1e-3, 1e-2);
                 }});
}

} // namespace bench::programs

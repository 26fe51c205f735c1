// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <functional>
#include <numeric>

namespace programs {
namespace {

constexpr float Damping = 0.85f;
constexpr double Limit = 1e-6; // of the change of all ranks together, at which they have converged

/// The edges into node i are those from sources[starts[i]] on.
struct Graph {
  std::vector<std::int32_t> starts = {0}, sources, degrees;
  std::size_t size() const { return degrees.size(); }
};

/// Most edges come from the first nodes, and many of the last ones have no successors.
Graph makeGraph(Run &run, std::size_t size) {
  Graph graph;
  graph.degrees.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::int32_t k = run.below(12); k > 0; --k) {
      const auto source = static_cast<std::int32_t>(run.below(1 + run.below(size)));
      graph.sources.push_back(source);
      ++graph.degrees[source];
    }
    graph.starts.push_back(static_cast<std::int32_t>(graph.sources.size()));
  }
  return graph;
}

/// Nodes give their ranks to their successors, in double precision.
std::vector<float> reference(const Graph &graph) {
  const auto count = double(graph.size());
  std::vector<double> ranks(graph.size(), 1 / count);
  for (double change = 1; change > Limit;) {
    double lost = 0;
    for (std::size_t i = 0; i < graph.size(); ++i)
      lost += graph.degrees[i] ? 0 : ranks[i];
    std::vector<double> next(graph.size(), (1 - Damping + Damping * lost) / count);
    for (std::size_t i = 0; i < graph.size(); ++i)
      for (std::int32_t k = graph.starts[i]; k < graph.starts[i + 1]; ++k) {
        const std::int32_t source = graph.sources[k];
        next[i] += Damping * ranks[source] / graph.degrees[source];
      }
    change = std::transform_reduce(ranks.begin(), ranks.end(), next.begin(), 0.0, std::plus(),
                                   [](double a, double b) { return std::abs(a - b); });
    ranks = std::move(next);
  }
  return {ranks.begin(), ranks.end()};
}

} // namespace

void pagerank(Run &run) {
  const Graph graph = makeGraph(run, run.scaled(1234));
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto starts = context.allocUpload(graph.starts);
  const auto sources = context.allocUpload(graph.sources);
  const auto degrees = context.allocUpload(graph.degrees);
  auto ranks = context.alloc<float>(graph.size());
  auto shares = context.alloc<float>(graph.size());
  auto lost = context.alloc<float>(1);
  auto change = context.alloc<float>(1);
  ranks.fill(1.0f / float(graph.size()));

  const spl::LaunchConfig all{.global = {graph.size()}};
  do {
    lost.fill(0);
    change.fill(0);
    run.launch(kernels["share"], all, ranks, degrees, shares, lost);
    run.launch(kernels["gather"], all, starts, sources, shares, lost, Damping, ranks, change);
  } while (change.download()[0] > Limit);
  // Where a change is close to the limit, there may be one round more or less than in the
  // reference.
  run.expectNear("ranks", ranks.download(), reference(graph), 1e-3, 1e-3);
}

} // namespace programs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int32_t Order = 48, Filled = 36, Nothing = -1;

struct Node {
  std::int32_t size, next;
  std::int32_t keys[Order], links[Order];
};

struct Tree {
  std::vector<Node> nodes;
  std::int32_t height;
};

struct Range {
  std::int32_t first, last;
};

struct Sum {
  std::int32_t keys, padding;
  std::int64_t values;
};

std::vector<Node> makeLevel(const std::vector<std::int32_t> &keys) {
  std::vector<Node> level;
  const auto size = static_cast<std::int32_t>(keys.size());
  for (std::int32_t first = 0; first < size; first += Filled) {
    Node node{};
    for (; node.size < Filled && first + node.size < size; ++node.size) {
      node.keys[node.size] = keys[first + node.size];
      node.links[node.size] = first + node.size;
    }
    level.push_back(node);
  }
  return level;
}

/// From the leaves on. The value of key i is number i.
Tree makeTree(std::vector<std::int32_t> keys) {
  std::vector<std::vector<Node>> levels;
  do {
    levels.push_back(makeLevel(keys));
    keys.clear();
    for (const Node &node : levels.back())
      keys.push_back(node.keys[0]);
  } while (keys.size() > 1);
  Tree tree{{}, static_cast<std::int32_t>(levels.size())};
  for (; !levels.empty(); levels.pop_back()) {
    const auto children = static_cast<std::int32_t>(tree.nodes.size() + levels.back().size());
    for (Node &node : levels.back()) {
      for (std::int32_t k = 0; k < node.size && levels.size() > 1; ++k)
        node.links[k] += children;
      node.next = &node == &levels.back().back() ? Nothing
                                                 : static_cast<std::int32_t>(tree.nodes.size()) + 1;
      tree.nodes.push_back(node);
    }
  }
  return tree;
}

/// The leaf that has the key, if any has.
const Node *leafOf(const Tree &tree, std::int32_t key) {
  const Node *node = tree.nodes.data();
  for (std::int32_t level = 1; level < tree.height; ++level) {
    const auto above = std::upper_bound(node->keys, node->keys + node->size, key) - node->keys;
    node = &tree.nodes[node->links[std::max<std::ptrdiff_t>(above - 1, 0)]];
  }
  return node;
}

void find(const Tree &tree, const std::int32_t *values, const std::int32_t *queries,
          std::int32_t *found, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) {
    const Node *leaf = leafOf(tree, queries[i]);
    const auto at = std::lower_bound(leaf->keys, leaf->keys + leaf->size, queries[i]) - leaf->keys;
    const bool isThere = at < leaf->size && leaf->keys[at] == queries[i];
    found[i] = isThere ? values[leaf->links[at]] : Nothing;
  }
}

void sumRanges(const Tree &tree, const std::int32_t *values, const Range *ranges, Sum *sums,
               std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) {
    const Node *leaf = leafOf(tree, ranges[i].first);
    auto k = static_cast<std::int32_t>(
        std::lower_bound(leaf->keys, leaf->keys + leaf->size, ranges[i].first) - leaf->keys);
    Sum sum{};
    for (;; leaf = &tree.nodes[leaf->next], k = 0) {
      for (; k < leaf->size && leaf->keys[k] <= ranges[i].last; ++k) {
        ++sum.keys;
        sum.values += values[leaf->links[k]];
      }
      if (k < leaf->size || leaf->next == Nothing)
        break;
    }
    sums[i] = sum;
  }
}

} // namespace

void btree(Case &c) {
  const auto size = static_cast<std::int32_t>(c.size(1 << 20, 3001));
  const std::int64_t n = c.size(100'000, 301);
  std::vector<std::int32_t> keys(size);
  for (std::int32_t i = 0; i < size; ++i)
    keys[i] = 10 * i + c.draw(0, 10);
  const Tree tree = makeTree(keys);
  std::vector<std::int32_t> wanted(n);
  std::vector<Range> bounds(n);
  for (std::int64_t i = 0; i < n; ++i) {
    wanted[i] = i % 2 ? keys[c.draw(0, size)] : c.draw(-100, 10 * size + 100);
    bounds[i].first = c.draw(-100, 10 * size);
    bounds[i].last = bounds[i].first + c.draw(-10, 1000);
  }
  const auto nodes = c.context().allocUpload(tree.nodes);
  const auto values = c.uniform(size, 0, 1000);
  const auto queries = c.context().allocUpload(wanted);
  const auto ranges = c.context().allocUpload(bounds);
  auto found = c.zeros<std::int32_t>(n), foundTwin = c.zeros<std::int32_t>(n);
  auto sums = c.zeros<Sum>(n), sumsTwin = c.zeros<Sum>(n);
  const spl::Module kernels = c.load("programs/btree/btree.spl");
  c.measure({.ours =
                 [&] {
                   found.fill(Nothing);
                   c.launch(kernels["find"], {.global = {Order * n}}, nodes, tree.height, values,
                            queries, found);
                   c.launch(kernels["sum_ranges"], {.global = {n}}, nodes, tree.height, values,
                            ranges, sums);
                 },
             .twin =
                 [&] {
                   find(tree, host(values), host(queries), host(foundTwin), n);
                   sumRanges(tree, host(values), host(ranges), host(sumsTwin), n);
                 },
             .compare =
                 [&] {
                   c.expectEqual("found", found, foundTwin);
                   std::vector<std::int64_t> actual, expected;
                   for (std::int64_t i = 0; i < n; ++i) {
                     actual.insert(actual.end(), {host(sums)[i].keys, host(sums)[i].values});
                     expected.insert(expected.end(),
                                     {host(sumsTwin)[i].keys, host(sumsTwin)[i].values});
                   }
                   c.expectEqual("sums", actual, expected);
                 }});
}

} // namespace bench::programs

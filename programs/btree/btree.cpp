// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>

namespace programs {
namespace {

constexpr std::int32_t order = 48, nothing = -1;

struct Node {
  std::int32_t size, next;
  std::int32_t keys[order], links[order];
};

struct Tree {
  std::vector<Node> nodes{};
  std::int32_t height;
};

struct Range {
  std::int32_t first, last;
};

struct Sum {
  std::int32_t keys;
  std::int64_t values;
};

/// Makes a level of a tree: nodes of random sizes from half an order on, that have all keys.
std::vector<Node> makeLevel(Run &run, const std::vector<std::int32_t> &keys) {
  std::vector<Node> level;
  const auto size = static_cast<std::int32_t>(keys.size());
  for (std::int32_t first = 0; first < size;) {
    Node node{};
    const std::int32_t wanted = order / 2 + run.below(order / 2 + 1);
    for (; node.size < wanted && first < size; ++first, ++node.size) {
      node.keys[node.size] = keys[first];
      node.links[node.size] = first;
    }
    level.push_back(node);
  }
  return level;
}

/// Builds a tree from the leaves on. The values of key i is number i.
Tree makeTree(Run &run, std::vector<std::int32_t> keys) {
  std::vector<std::vector<Node>> levels;
  do {
    levels.push_back(makeLevel(run, keys));
    keys.clear();
    for (const Node &node : levels.back())
      keys.push_back(node.keys[0]);
  } while (keys.size() > 1);

  Tree tree{.height = static_cast<std::int32_t>(levels.size())};
  for (; !levels.empty(); levels.pop_back()) {
    const auto children = static_cast<std::int32_t>(tree.nodes.size() + levels.back().size());
    const bool leaves = levels.size() == 1;
    for (Node &node : levels.back()) {
      for (std::int32_t k = 0; k < node.size && !leaves; ++k)
        node.links[k] += children;
      const auto number = static_cast<std::int32_t>(tree.nodes.size());
      node.next = &node == &levels.back().back() ? nothing : number + 1;
      tree.nodes.push_back(node);
    }
  }
  return tree;
}

} // namespace

void btree(Run &run) {
  std::map<std::int32_t, std::int32_t> entries;
  const auto size = static_cast<std::int32_t>(run.scaled(7001));
  while (std::ssize(entries) < size) {
    const std::int32_t key = run.below(10 * size);
    entries.emplace(key, run.below(1000));
  }
  std::vector<std::int32_t> keys, content;
  for (const auto &[key, value] : entries) {
    keys.push_back(key);
    content.push_back(value);
  }
  const Tree tree = makeTree(run, keys);

  std::vector<std::int32_t> wanted(run.scaled(501)), values;
  for (std::int32_t &key : wanted) {
    key = run.below(2) ? keys[run.below(keys.size())] : run.below(11 * size) - size / 2;
    const auto entry = entries.find(key);
    values.push_back(entry == entries.end() ? nothing : entry->second);
  }
  std::vector<Range> bounds(run.scaled(303));
  std::vector<std::int64_t> expected;
  for (Range &range : bounds) {
    range.first = run.below(11 * size) - size / 2;
    range.last = range.first + run.below(3000) - 100;
    Sum sum{};
    for (auto at = entries.lower_bound(range.first); at != entries.end() && at->first <= range.last;
         ++at)
      sum = {sum.keys + 1, sum.values + at->second};
    expected.insert(expected.end(), {sum.keys, sum.values});
  }

  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();
  const auto nodes = context.allocUpload(tree.nodes);
  const auto numbers = context.allocUpload(content);
  const auto queries = context.allocUpload(wanted);
  auto found = context.alloc<std::int32_t>(queries.size());
  found.fill(nothing);
  run.launch(kernels["find"], {.global = {order * queries.size()}}, nodes, tree.height, numbers,
             queries, found);
  run.expectEqual("found", found.download(), values);

  const auto ranges = context.allocUpload(bounds);
  auto sums = context.alloc<Sum>(ranges.size());
  run.launch(kernels["sum_ranges"], {.global = {ranges.size()}}, nodes, tree.height, numbers,
             ranges, sums);
  std::vector<std::int64_t> actual;
  for (const Sum &sum : sums.download())
    actual.insert(actual.end(), {sum.keys, sum.values});
  run.expectEqual("sums", actual, expected);
}

} // namespace programs

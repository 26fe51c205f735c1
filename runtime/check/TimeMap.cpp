// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/TimeMap.h"

#include <algorithm>
#include <bit>

namespace spl::detail {

/// A leaf (bit is 0) has a key and its time. A branch has two nodes, whose keys agree above \p bit:
/// those without the bit are in low.
struct TimeMap::Node {
  std::uint32_t references;
  std::uint32_t bit;
  std::uint32_t key; ///< of a branch: the bits above its bit
  std::uint32_t time;
  Node *low;
  Node *high;

  bool isLeaf() const { return bit == 0; }
  bool covers(std::uint32_t other) const { return ((other ^ key) & ~(bit | (bit - 1))) == 0; }
};

TimeMap::Node *TimeMap::retained(Node *node) {
  if (node)
    ++node->references;
  return node;
}

void TimeMap::release(Node *node) {
  if (!node || --node->references != 0)
    return;
  release(node->low);
  release(node->high);
  delete node;
}

TimeMap::Node *TimeMap::leaf(std::uint32_t key, std::uint32_t time) {
  return new Node{1, 0, key, time, nullptr, nullptr};
}

/// Takes over a reference to each of the two.
TimeMap::Node *TimeMap::branch(std::uint32_t prefix, std::uint32_t bit, Node *low, Node *high) {
  return new Node{1, bit, prefix & ~(bit | (bit - 1)), 0, low, high};
}

/// A branch of two nodes whose keys differ. Takes over a reference to each.
TimeMap::Node *TimeMap::link(Node *a, Node *b) {
  const std::uint32_t bit = std::bit_floor(a->key ^ b->key);
  return a->key & bit ? branch(a->key, bit, b, a) : branch(a->key, bit, a, b);
}

std::uint32_t TimeMap::at(std::uint32_t key) const {
  const Node *node = root;
  while (node && !node->isLeaf()) {
    if (!node->covers(key))
      return 0;
    node = key & node->bit ? node->high : node->low;
  }
  return node && node->key == key ? node->time : 0;
}

/// A new reference.
TimeMap::Node *TimeMap::raised(Node *node, std::uint32_t key, std::uint32_t time) {
  if (!node)
    return leaf(key, time);
  if (node->isLeaf()) {
    if (node->key != key)
      return link(retained(node), leaf(key, time));
    return node->time >= time ? retained(node) : leaf(key, time);
  }
  if (!node->covers(key))
    return link(retained(node), leaf(key, time));
  const bool isHigh = key & node->bit;
  Node *const child = isHigh ? node->high : node->low;
  Node *const changed = raised(child, key, time);
  if (changed == child) {
    release(changed);
    return retained(node);
  }
  return isHigh ? branch(node->key, node->bit, retained(node->low), changed)
                : branch(node->key, node->bit, changed, retained(node->high));
}

/// Joins \p b, which \p a covers, into one child of \p a.
TimeMap::Node *TimeMap::joinedBelow(Node *a, Node *b, bool aIsFirst) {
  const bool isHigh = b->key & a->bit;
  Node *const child = isHigh ? a->high : a->low;
  Node *const changed = aIsFirst ? joined(child, b) : joined(b, child);
  if (changed == child) {
    release(changed);
    return retained(a);
  }
  return isHigh ? branch(a->key, a->bit, retained(a->low), changed)
                : branch(a->key, a->bit, changed, retained(a->high));
}

/// A new reference; to one of the two where it has all that is in the other.
TimeMap::Node *TimeMap::joined(Node *a, Node *b) {
  if (a == b || !b)
    return retained(a);
  if (!a)
    return retained(b);
  if (b->isLeaf())
    return raised(a, b->key, b->time);
  if (a->isLeaf())
    return raised(b, a->key, a->time);
  if (a->bit == b->bit && a->key == b->key) {
    Node *const low = joined(a->low, b->low);
    Node *const high = joined(a->high, b->high);
    for (Node *same : {a, b})
      if (low == same->low && high == same->high) {
        release(low);
        release(high);
        return retained(same);
      }
    return branch(a->key, a->bit, low, high);
  }
  if (a->bit > b->bit && a->covers(b->key))
    return joinedBelow(a, b, /*aIsFirst=*/true);
  if (b->bit > a->bit && b->covers(a->key))
    return joinedBelow(b, a, /*aIsFirst=*/false);
  return link(retained(a), retained(b));
}

void TimeMap::raise(std::uint32_t key, std::uint32_t time) {
  Node *const old = std::exchange(root, raised(root, key, time));
  release(old);
}

void TimeMap::join(const TimeMap &other) {
  Node *const old = std::exchange(root, joined(root, other.root));
  release(old);
}

} // namespace spl::detail

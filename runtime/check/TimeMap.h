// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A persistent map from 32-bit keys to times, with 0 for keys that are absent. Copies share their
// nodes, so that a copy costs one counter and joining two maps that share most of their nodes costs
// as much as their differences (Okasaki and Gill, Fast Mergeable Integer Maps, 1998).
//
// The counters are not atomic: all copies of a map belong to one thread.
#ifndef SPL_RUNTIME_CHECK_TIMEMAP_H
#define SPL_RUNTIME_CHECK_TIMEMAP_H

#include <cstdint>
#include <utility>

namespace spl::detail {

class TimeMap {
public:
  TimeMap() = default;
  TimeMap(const TimeMap &other) : root(retained(other.root)) {}
  TimeMap(TimeMap &&other) noexcept : root(std::exchange(other.root, nullptr)) {}
  TimeMap &operator=(TimeMap other) noexcept {
    std::swap(root, other.root);
    return *this;
  }
  ~TimeMap() { release(root); }

  bool isEmpty() const { return !root; }
  /// Whether both are one object. Equal maps may be two.
  bool isSameAs(const TimeMap &other) const { return root == other.root; }

  std::uint32_t at(std::uint32_t key) const;

  /// Raises the time of \p key to \p time.
  void raise(std::uint32_t key, std::uint32_t time);

  /// Raises each time to that of \p other.
  void join(const TimeMap &other);

private:
  struct Node;

  static Node *retained(Node *node);
  static void release(Node *node);
  static Node *leaf(std::uint32_t key, std::uint32_t time);
  static Node *branch(std::uint32_t prefix, std::uint32_t bit, Node *low, Node *high);
  static Node *link(Node *a, Node *b);
  static Node *raised(Node *node, std::uint32_t key, std::uint32_t time);
  static Node *joined(Node *a, Node *b);
  static Node *joinedBelow(Node *a, Node *b, bool aIsFirst);

  Node *root = nullptr;
};

} // namespace spl::detail

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of accesses that no barrier orders: the loads of one element since its last store, or its
// atomics. A set is a number. It is made of a smaller set and one access more, and is made once:
// elements that the same work-items read share their sets, so that a tile that 256 work-items read
// costs 256 sets rather than 256 for each element.
#ifndef SPL_RUNTIME_CHECK_ACCESSSETS_H
#define SPL_RUNTIME_CHECK_ACCESSSETS_H

#include "runtime/check/Access.h"

#include <cstddef>
#include <vector>

namespace spl::detail {

class AccessSets {
public:
  static constexpr std::uint32_t empty = 0;

  /// Of one access.
  enum Flags : std::uint8_t { Stores = 1, GroupScope = 2 };

  struct Node {
    std::uint32_t rest = empty; ///< the set without the access
    Access access;
    std::uint32_t group = 0;  ///< of the access
    std::uint8_t flags = 0;   ///< of the access
    bool isSingle = false;    ///< made by single
    std::uint32_t latest = 0; ///< the largest time in the set
    // Of the whole set:
    bool anyStores = false;
    bool anyGroupScope = false;
    bool manyGroups = false;
  };

  AccessSets() { clear(); }

  const Node &operator[](std::uint32_t set) const { return nodes[set]; }
  std::size_t size() const { return nodes.size(); }

  /// The set with one access more, unless the last \p searched accesses have one of the same
  /// work-item at the same time.
  std::uint32_t with(std::uint32_t set, const Access &access, std::uint32_t group,
                     std::uint8_t flags, int searched);

  /// A set of one access that no other set has, and that replace may change.
  std::uint32_t single(const Access &access, std::uint32_t group, std::uint8_t flags);
  void replace(std::uint32_t single, const Access &access, std::uint32_t group,
               std::uint8_t flags) {
    nodes[single] =
        made({.access = access, .group = group, .flags = flags, .isSingle = true}, Node());
  }

  /// Forgets all sets.
  void clear();

  std::size_t bytes() const {
    return nodes.capacity() * sizeof(Node) + slots.capacity() * sizeof(std::uint32_t);
  }

private:
  /// The node with what follows from its access and the rest.
  static Node made(Node node, const Node &rest);
  bool isAmongLast(std::uint32_t set, const Access &access, std::uint8_t flags, int searched) const;
  std::uint32_t &slotFor(const Node &node);
  void grow();

  std::vector<Node> nodes;
  std::vector<std::uint32_t> slots; ///< a hash table of nodes; 0 is free
};

} // namespace spl::detail

#endif

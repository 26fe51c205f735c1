// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/AccessSets.h"

#include <algorithm>

namespace spl::detail {

static constexpr std::size_t firstSlots = 1024;

void AccessSets::clear() {
  nodes.assign(1, Node());
  slots.assign(firstSlots, empty);
}

static std::size_t hash(const AccessSets::Node &node) {
  std::uint64_t bits = node.rest * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ node.access.item) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ node.access.time) * 0x94d049bb133111ebull;
  bits = (bits ^ (node.access.site * 4 + node.flags)) * 0x9e3779b97f4a7c15ull;
  return static_cast<std::size_t>(bits ^ (bits >> 32));
}

static bool isSame(const AccessSets::Node &a, const AccessSets::Node &b) {
  return a.rest == b.rest && a.access.isBySameItemAndTime(b.access) &&
         a.access.site == b.access.site && a.flags == b.flags;
}

std::uint32_t &AccessSets::slotFor(const Node &node) {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = hash(node) & mask;
  while (slots[at] != empty && !isSame(nodes[slots[at]], node))
    at = (at + 1) & mask;
  return slots[at];
}

void AccessSets::grow() {
  slots.assign(slots.size() * 2, empty);
  for (std::uint32_t set = 1; set < nodes.size(); ++set)
    if (!nodes[set].isSingle)
      slotFor(nodes[set]) = set;
}

bool AccessSets::isAmongLast(std::uint32_t set, const Access &access, std::uint8_t flags,
                             int searched) const {
  for (int i = 0; set != empty && i < searched; ++i, set = nodes[set].rest) {
    const Node &node = nodes[set];
    if (node.access.isBySameItemAndTime(access) && (node.flags | flags) == node.flags)
      return true;
  }
  return false;
}

AccessSets::Node AccessSets::made(Node node, const Node &rest) {
  node.latest = std::max(rest.latest, node.access.time);
  node.anyStores = rest.anyStores || (node.flags & Stores);
  node.anyGroupScope = rest.anyGroupScope || (node.flags & GroupScope);
  node.manyGroups = node.rest != empty && (rest.manyGroups || rest.group != node.group);
  return node;
}

std::uint32_t AccessSets::single(const Access &access, std::uint32_t group, std::uint8_t flags) {
  nodes.push_back(
      made({.access = access, .group = group, .flags = flags, .isSingle = true}, Node()));
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

std::uint32_t AccessSets::with(std::uint32_t set, const Access &access, std::uint32_t group,
                               std::uint8_t flags, int searched) {
  if (isAmongLast(set, access, flags, searched))
    return set;
  Node node{.rest = set, .access = access, .group = group, .flags = flags};
  std::uint32_t &slot = slotFor(node);
  if (slot != empty)
    return slot;
  const auto number = static_cast<std::uint32_t>(nodes.size());
  slot = number;
  nodes.push_back(made(node, nodes[set]));
  if (nodes.size() * 2 > slots.size())
    grow();
  return number;
}

} // namespace spl::detail

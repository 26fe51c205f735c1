// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/MemoryMap.h"

#include <algorithm>

namespace spl::detail {

std::string MemoryRegion::describe(std::uintptr_t address) const {
  auto index = static_cast<std::int64_t>((address - begin) / elementBytes);
  std::string text;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const std::int64_t extent = axis == 0 ? 0 : std::max<std::int64_t>(extents[axis], 1);
    const std::int64_t along = extent == 0 ? index : index % extent;
    text = std::to_string(along) + (text.empty() ? "" : ", " + text);
    index = extent == 0 ? 0 : index / extent;
  }
  return name + "[" + text + "]";
}

void MemoryMap::add(MemoryRegion region) {
  std::erase_if(regions, [&](const MemoryRegion &old) {
    return old.isShared && region.isShared && old.name == region.name && old.begin == region.begin;
  });
  const auto at = std::ranges::find_if(
      regions, [&](const MemoryRegion &other) { return other.begin <= region.begin; });
  regions.insert(at, std::move(region));
  recent = 0;
}

const MemoryRegion *MemoryMap::find(std::uintptr_t address) {
  // A region that begins later may lie within the recent one.
  if (recent < regions.size() && regions[recent].contains(address) &&
      (recent == 0 || regions[recent - 1].begin > address))
    return &regions[recent];
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].contains(address)) {
      recent = i;
      return &regions[i];
    }
  return nullptr;
}

bool MemoryMap::hasShared(const char *name, std::uintptr_t begin, std::uint64_t bytes) const {
  return std::ranges::any_of(regions, [&](const MemoryRegion &region) {
    return region.isShared && region.begin == begin && region.bytes == bytes && region.name == name;
  });
}

} // namespace spl::detail

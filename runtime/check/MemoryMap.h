// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a checked launch that work-items can share: the arrays that the kernel may write,
// and the group's shared arrays. All other memory belongs to one work-item, or is only read.
#ifndef SPL_RUNTIME_CHECK_MEMORYMAP_H
#define SPL_RUNTIME_CHECK_MEMORYMAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace spl::detail {

struct MemoryRegion {
  std::string name; ///< as the source has it
  std::uintptr_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint64_t elementBytes = 1;
  std::vector<std::int64_t> extents; ///< along each axis
  bool isShared = false;

  bool contains(std::uintptr_t address) const { return address - begin < bytes; }
  /// "tile[3, 4]": the element at an address of the region.
  std::string describe(std::uintptr_t address) const;
};

class MemoryMap {
public:
  /// Adds a region. A shared one replaces the one of the same name, which is of an earlier group.
  void add(MemoryRegion region);

  /// The region with the address; null for memory of one work-item. Where several have it, the one
  /// that begins last. Valid until the next add.
  const MemoryRegion *find(std::uintptr_t address);

  /// Whether there is a shared region with this name that begins there.
  bool hasShared(const char *name, std::uintptr_t begin, std::uint64_t bytes) const;

private:
  std::vector<MemoryRegion> regions; ///< those that begin last are first
  std::size_t recent = 0;
};

} // namespace spl::detail

#endif

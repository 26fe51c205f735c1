// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow memory: what a checked launch remembers of each element that it accesses. It grows with
// the memory that the kernel touches, in blocks of 4096 bytes of it.
//
// The cells of a block are as large as its smallest access: 32 bytes for each f32 or i64, and 32
// bytes for each byte of an array of u8. A block that is accessed in several sizes is split where
// the first smaller access appears.
#ifndef SPL_RUNTIME_CHECK_SHADOW_H
#define SPL_RUNTIME_CHECK_SHADOW_H

#include "runtime/check/Access.h"
#include "runtime/check/AccessSets.h"

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

namespace spl::detail {

/// What is known of one element.
struct Cell {
  static constexpr unsigned maxSyncBits = 30;

  Access store; ///< the last one that is not atomic
  Access load;  ///< the loads since; with item nobody, time is a set of AccessSets
  std::uint32_t atomics = AccessSets::empty; ///< those since the last store, as a set
  std::uint32_t isWritten : 1 = 0;           ///< any store or atomic store, at any time
  std::uint32_t ownsAtomics : 1 = 0;         ///< whether no other cell has the set of atomics
  std::uint32_t sync : maxSyncBits = 0;      ///< what atomics release here; 0 for nothing
};
static_assert(sizeof(Cell) == 32);

class Shadow {
public:
  /// The cells of the \p bytes bytes at \p address, one after the other: visit(cell, address,
  /// bytes).
  template <typename Visit> void forEach(std::uintptr_t address, std::size_t bytes, Visit visit) {
    const std::uintptr_t end = address + bytes;
    while (address < end) {
      Block &block = blockAt(address);
      const std::uintptr_t blockEnd = (address | (blockBytes - 1)) + 1;
      const std::uintptr_t stop = end < blockEnd ? end : blockEnd;
      const unsigned needed = shiftFor(address, stop - address);
      if (needed < block.shift)
        split(block, needed);
      const std::uintptr_t step = std::uintptr_t(1) << block.shift;
      for (; address < stop; address += step)
        visit(block.cells[(address & (blockBytes - 1)) >> block.shift], address, step);
    }
  }

  /// Calls \p visit for all cells that exist.
  template <typename Visit> void forAll(Visit visit) {
    for (auto &[number, block] : blocks)
      for (Cell &cell : block->cells)
        visit(cell);
  }

  /// Forgets what the cells hold, and keeps their memory.
  void reset() {
    forAll([](Cell &cell) { cell = Cell(); });
  }

  std::size_t bytes() const { return cellCount * sizeof(Cell); }

private:
  static constexpr std::uintptr_t blockBytes = 4096;
  static constexpr unsigned maxShift = 3;

  struct Block {
    std::uintptr_t number = 0;
    unsigned shift = 0; ///< a cell is for 1 << shift bytes
    std::vector<Cell> cells;
  };

  /// The largest cells that the access covers exactly.
  static unsigned shiftFor(std::uintptr_t address, std::size_t bytes) {
    return static_cast<unsigned>(
        std::countr_zero(address | bytes | (std::uintptr_t(1) << maxShift)));
  }

  Block &blockAt(std::uintptr_t address) {
    const std::uintptr_t number = address / blockBytes;
    Block *&recent = recents[number % recents.size()];
    if (!recent || recent->number != number)
      recent = &findBlock(number);
    return *recent;
  }
  Block &findBlock(std::uintptr_t number);
  void split(Block &block, unsigned shift);

  std::unordered_map<std::uintptr_t, std::unique_ptr<Block>> blocks;
  std::array<Block *, 64> recents{};
  std::size_t cellCount = 0;
};

} // namespace spl::detail

#endif

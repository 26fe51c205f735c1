// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/Shadow.h"

namespace spl::detail {

Shadow::Block &Shadow::findBlock(std::uintptr_t number) {
  std::unique_ptr<Block> &block = blocks[number];
  if (!block) {
    block = std::make_unique<Block>();
    block->number = number;
    block->shift = maxShift;
    block->cells.resize(blockBytes >> maxShift);
    cellCount += block->cells.size();
  }
  return *block;
}

/// Each smaller cell knows what the larger one did.
void Shadow::split(Block &block, unsigned shift) {
  std::vector<Cell> cells;
  cells.reserve(blockBytes >> shift);
  for (Cell cell : block.cells) {
    cell.ownsAtomics = 0;
    cells.insert(cells.end(), std::size_t(1) << (block.shift - shift), cell);
  }
  cellCount += cells.size() - block.cells.size();
  block.cells = std::move(cells);
  block.shift = shift;
}

} // namespace spl::detail

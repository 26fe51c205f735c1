// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How values lie in memory: as in C, on every target. A Layout is a value, which several threads
/// may read at once. Nothing here fails.
#ifndef SPL_ABI_LAYOUT_H
#define SPL_ABI_LAYOUT_H

#include <algorithm>
#include <cstdint>

namespace spl::abi {

/// A size and an alignment in bytes.
struct Layout {
  std::uint64_t size = 0, align = 1;

  /// Of a scalar or a vector of \p lanes, which are aligned to their size. A bool takes a byte.
  static constexpr Layout ofLanes(std::uint64_t bits, std::uint64_t lanes = 1) {
    const std::uint64_t size = std::max<std::uint64_t>(1, bits / 8) * lanes;
    return {size, size};
  }
  /// Of an array with \p length elements of this layout.
  constexpr Layout times(std::uint64_t length) const { return {size * length, align}; }

  /// Adds a part behind the others, aligned, and returns its offset.
  constexpr std::uint64_t append(Layout part) {
    const std::uint64_t offset = roundUp(size, part.align);
    size = offset + part.size;
    align = std::max(align, part.align);
    return offset;
  }
  /// With the padding at the end of a struct.
  constexpr Layout padded() const { return {roundUp(size, align), align}; }

private:
  static constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t align) {
    return (value + align - 1) / align * align;
  }
};

} // namespace spl::abi

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Extents: the shape of an array and the axes of a launch. They are values, which several threads
/// may read at once. They accept all integers. The call that uses them throws for extents that are
/// negative or too large.
#ifndef SPL_SHAPE_H
#define SPL_SHAPE_H

#include <spl/Cxx20.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace spl {

/// A list of up to \p Max extents.
template <std::size_t Max> class Extents {
public:
  constexpr Extents() = default;

  /// Makes extents of integers of any type: {64}, {rows, columns}. An integer beyond the range of
  /// int64 becomes the maximum of int64, for which every call that uses extents throws.
  template <std::integral... Ints>
    requires(sizeof...(Ints) >= 1 && sizeof...(Ints) <= Max)
  constexpr Extents(Ints... extents) : axes{clamp(extents)...}, count(sizeof...(Ints)) {}

  /// Makes extents of a list whose length is known only at run time. Throws InvalidArgument for
  /// more than Max extents.
  static Extents of(std::span<const std::int64_t> extents);

  std::size_t rank() const { return count; }
  std::int64_t operator[](std::size_t axis) const { return axes[axis]; }
  const std::int64_t *begin() const { return axes.data(); }
  const std::int64_t *end() const { return axes.data() + count; }
  bool operator==(const Extents &) const = default;

  /// "4 x 8".
  std::string str() const;

private:
  template <typename Int> static constexpr std::int64_t clamp(Int value) {
    return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value)
                                              : std::numeric_limits<std::int64_t>::max();
  }

  std::array<std::int64_t, Max> axes{};
  std::size_t count = 0;
};

/// The extents of an array, outermost first, counted in elements. Rank 1 to 4.
using Shape = Extents<4>;

/// The axes of a launch, x first, counted in work-items.
using Dims = Extents<3>;

} // namespace spl

#endif

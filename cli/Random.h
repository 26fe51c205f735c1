// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers for the elements of arrays. The same state of the generator gives the same numbers
// on every machine.
#pragma once

#include <cstddef>
#include <random>
#include <spl/ElementType.h>
#include <string_view>

namespace spl::cli {

/// Makes random values for one number (a scalar or an enum) of an element.
class RandomNumber {
public:
  /// \p range is LOW..HIGH, for values in [LOW, HIGH), LOW..=HIGH for integers in [LOW, HIGH], or
  /// empty. If it is empty, floats are in [0, 1), and other types have any of their values. Throws
  /// Failure (WrongUsage) for a range that is malformed, empty, not finite or too large, and for a
  /// range of bools or enums.
  RandomNumber(const ElementType &type, std::string_view range);

  /// Writes a value to \p target.
  void make(std::mt19937_64 &generator, std::byte *target) const;

private:
  ElementType type;
  bool hasRange = false, isInclusive = false;
  std::byte low[8] = {}, high[8] = {}; ///< values of the type
};

} // namespace spl::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers for the elements of arrays. The same generator makes the same numbers on every
// machine.
#pragma once

#include <cstddef>
#include <random>
#include <spl/ElementType.h>
#include <string_view>

namespace spl::cli {

/// Random values of one number (a scalar or an enum) of an element.
class RandomNumber {
public:
  /// \p range is LOW..HIGH: the values are in [LOW, HIGH). Without a range, which is an empty text,
  /// a float is in [0, 1), and any other type has all of its values. Throws Failure (WrongUsage)
  /// for a range that is empty or that the type does not have.
  RandomNumber(const ElementType &type, std::string_view range);

  /// Writes a value to \p target.
  void make(std::mt19937_64 &generator, std::byte *target) const;

private:
  ElementType type;
  bool hasRange = false;
  std::byte low[8] = {}, high[8] = {}; ///< values of the type
};

} // namespace spl::cli

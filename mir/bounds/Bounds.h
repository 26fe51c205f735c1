// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How small and how large an integer can be, in terms of what a launch is given.
#pragma once

#include "mir/bounds/Conditions.h"
#include "mir/bounds/Polynomial.h"

namespace spl::mir::bounds {

/// The value is signed, whatever the source says.
struct Bounds {
  std::optional<Polynomial> exact;
  llvm::SmallVector<Polynomial, 2> least; ///< each at most the value; none where nothing is known
  llvm::SmallVector<Polynomial, 2> most;  ///< each at least the value
  Needs needs;                            ///< what all that holds under

  bool isBounded() const { return !least.empty() && !most.empty(); }
  /// With the value itself, where it is exact.
  llvm::SmallVector<Polynomial> lower() const;
  llvm::SmallVector<Polynomial> upper() const;

  static Bounds exactly(const Polynomial &sum) { return {sum, {sum}, {sum}, {}}; }
  static Bounds exactly(int64_t number) { return exactly(Polynomial::constant(number)); }
  /// From 0 to one less than \p count.
  static Bounds below(const Polynomial &count);
};

} // namespace spl::mir::bounds

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower and upper bounds of an integer, as polynomials of the arguments and sizes of a launch.
#pragma once

#include "mir/bounds/Conditions.h"
#include "mir/bounds/Polynomial.h"

namespace spl::mir::bounds {

/// The bounds of a value. The value is interpreted as signed, also if its type in the source is
/// unsigned.
struct Bounds {
  std::optional<Polynomial> exact;
  llvm::SmallVector<Polynomial, 2> least; ///< lower bounds; empty if none is known
  llvm::SmallVector<Polynomial, 2> most;  ///< upper bounds; empty if none is known
  Needs needs;                            ///< the conditions under which all this holds

  bool isBounded() const { return !least.empty() && !most.empty(); }
  /// The lower bounds and the upper bounds, each with the exact value if it is known.
  llvm::SmallVector<Polynomial> lower() const;
  llvm::SmallVector<Polynomial> upper() const;

  static Bounds exactly(const Polynomial &sum) { return {sum, {sum}, {sum}, {}}; }
  static Bounds exactly(int64_t number) { return exactly(Polynomial::constant(number)); }
  /// Bounds of a value from 0 to \p count - 1.
  static Bounds below(const Polynomial &count);
};

/// The sums, each increased by \p by. Those that would be too large are left out.
llvm::SmallVector<Polynomial, 2> shifted(llvm::ArrayRef<Polynomial> sums, int64_t by);

} // namespace spl::mir::bounds

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of an integer, and arithmetic with it, which is exact, while the kernel's wraps. So
// a sum, difference or product is the kernel's only once it is shown to fit the type. Until then it
// is the same up to a multiple of 2^width, as all are that are made of such by these three alone.
#pragma once

#include "mir/bounds/Conditions.h"
#include "mir/bounds/Terms.h"

namespace spl::mir::bounds {

/// The value is signed, whatever the source says.
struct Bounds {
  std::optional<Sum> exact;
  llvm::SmallVector<Sum, 2> least; ///< each at most the value; none where nothing is known
  llvm::SmallVector<Sum, 2> most;  ///< each at least the value
  Needs needs;                     ///< what all that holds under

  bool isBounded() const { return !least.empty() && !most.empty(); }
  /// With the value itself, where it is exact.
  llvm::SmallVector<Sum> lower() const;
  llvm::SmallVector<Sum> upper() const;

  static Bounds exactly(const Sum &sum) { return {sum, {sum}, {sum}, {}}; }
  static Bounds exactly(int64_t number) { return exactly(Sum::number(number)); }
  /// From 0 to one less than \p count.
  static Bounds below(const Sum &count);
};

class Calculator {
public:
  Calculator(Symbols &symbols, Conditions &conditions) : symbols(symbols), conditions(conditions) {}

  // Exact: what wraps is still to be seen to (fitted).
  Bounds add(const Bounds &a, const Bounds &b);
  Bounds subtract(const Bounds &a, const Bounds &b);
  Bounds multiply(const Bounds &a, const Bounds &b);

  // Of what is not negative by what is above 0.
  Bounds divide(const Bounds &a, const Bounds &b);
  Bounds remainder(const Bounds &a, const Bounds &b);

  Bounds smaller(const Bounds &a, const Bounds &b);
  Bounds larger(const Bounds &a, const Bounds &b);
  /// The smaller of \p most and the larger of \p a and \p least.
  Bounds clamped(const Bounds &a, const Bounds &least, const Bounds &most);
  /// One of the two.
  Bounds joined(const Bounds &a, const Bounds &b);

  /// The same number, as far as it is shown to be one of \p width bits, or not negative.
  Bounds fitted(Bounds bounds, unsigned width);
  Bounds notNegative(Bounds bounds);

  /// Adds a sum that is at least, or at most, the value.
  void addMost(Bounds &bounds, const Sum &sum) const;
  void addLeast(Bounds &bounds, const Sum &sum) const;

  bool isNotNegative(const Bounds &bounds) const;
  /// The numbers that a value of \p width bits is between in every launch.
  Range rangeOf(const Bounds &bounds, unsigned width) const;

private:
  using Sums = llvm::SmallVector<Sum, 2>;

  Bounds scale(const Bounds &a, int64_t by, const Needs &needs);
  Bounds told(Bounds bounds) const;
  std::optional<Sum> relaxed(const Sum &sum, Symbols::Toward end) const;
  bool makesIdle(const Sum &closer, const Sum &sum) const;
  void keep(Sums &sums, const Sum &sum) const;
  Bounds atLeastNumber(Bounds bounds, int64_t number);
  /// What is at least, or at most, each of two values.
  Sums joinedMost(llvm::ArrayRef<Sum> a, llvm::ArrayRef<Sum> b, Needs &needs);
  Sums joinedLeast(llvm::ArrayRef<Sum> a, llvm::ArrayRef<Sum> b, Needs &needs);

  Symbols &symbols;
  Conditions &conditions;
};

} // namespace spl::mir::bounds

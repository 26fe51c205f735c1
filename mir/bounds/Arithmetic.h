// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with what is known of integers, which is exact, while the kernel's wraps. So a sum,
// difference or product is the kernel's only once it is shown to fit the type. Until then it is the
// same up to a multiple of 2^width, as all are that are made of such by these three alone.
#pragma once

#include "mir/bounds/Bounds.h"

namespace spl::mir::bounds {

class Arithmetic {
public:
  Arithmetic(Symbols &symbols, Conditions &conditions) : symbols(symbols), conditions(conditions) {}

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
  void addMost(Bounds &bounds, const Polynomial &sum) const;
  void addLeast(Bounds &bounds, const Polynomial &sum) const;

  bool isNotNegative(const Bounds &bounds) const;
  /// The numbers that a value of \p width bits is between in every launch.
  Range rangeOf(const Bounds &bounds, unsigned width) const;

private:
  using Polynomials = llvm::SmallVector<Polynomial, 2>;

  Bounds scale(const Bounds &a, int64_t by, const Needs &needs);
  Bounds normalized(Bounds bounds) const;
  std::optional<Polynomial> relaxed(const Polynomial &sum, Symbols::Toward end) const;
  bool supersedes(const Polynomial &closer, const Polynomial &sum) const;
  void keep(Polynomials &sums, const Polynomial &sum) const;
  Bounds atLeastNumber(Bounds bounds, int64_t number);
  /// What is at least, or at most, each of two values.
  Polynomials joinedMost(llvm::ArrayRef<Polynomial> a, llvm::ArrayRef<Polynomial> b, Needs &needs);
  Polynomials joinedLeast(llvm::ArrayRef<Polynomial> a, llvm::ArrayRef<Polynomial> b, Needs &needs);

  Symbols &symbols;
  Conditions &conditions;
};

} // namespace spl::mir::bounds

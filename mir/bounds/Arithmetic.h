// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact arithmetic on bounds. The kernel's arithmetic wraps. Therefore a sum, difference or product
// here has the bounds of the kernel's value only after fitted() has shown that it fits the type.
// Before that, it equals the kernel's value modulo 2^width. Sums, differences and products of such
// values keep this property.
#pragma once

#include "mir/bounds/Bounds.h"

namespace spl::mir::bounds {

class Arithmetic {
public:
  Arithmetic(Symbols &symbols, Conditions &conditions) : symbols(symbols), conditions(conditions) {}

  // Exact results. The caller must use fitted() on them.
  Bounds add(const Bounds &a, const Bounds &b);
  /// The difference is known to be at least \p least, if that is given.
  Bounds subtract(const Bounds &a, const Bounds &b, std::optional<int64_t> least = std::nullopt);
  Bounds multiply(const Bounds &a, const Bounds &b);

  // For a dividend >= 0 and a divisor > 0.
  Bounds divide(const Bounds &a, const Bounds &b);
  Bounds remainder(const Bounds &a, const Bounds &b);

  Bounds smaller(const Bounds &a, const Bounds &b);
  Bounds larger(const Bounds &a, const Bounds &b);
  /// max(a, least), without the bounds that would need new conditions.
  Bounds raised(const Bounds &a, const Bounds &least);
  /// The larger of the value and its negative, which must fit into \p width bits.
  Bounds absolute(const Bounds &a, unsigned width);
  /// min(max(a, least), most).
  Bounds clamped(const Bounds &a, const Bounds &least, const Bounds &most);
  /// Bounds of a value that is a or b.
  Bounds joined(const Bounds &a, const Bounds &b);

  /// The same bounds, with the conditions under which the value fits into \p width bits, or is not
  /// negative. Bounds for which that cannot be shown are dropped.
  Bounds fitted(Bounds bounds, unsigned width);
  Bounds notNegative(Bounds bounds);

  /// Adds an upper bound.
  void addMost(Bounds &bounds, const Polynomial &sum) const;
  /// Adds a lower bound.
  void addLeast(Bounds &bounds, const Polynomial &sum) const;

  bool isNotNegative(const Bounds &bounds) const;
  /// The range of a value of \p width bits that holds in every launch.
  Range rangeOf(const Bounds &bounds, unsigned width) const;

private:
  using Polynomials = llvm::SmallVector<Polynomial, 2>;

  Bounds scale(const Bounds &a, int64_t by, const Needs &needs);
  Bounds normalized(Bounds bounds) const;
  std::optional<Polynomial> relaxed(const Polynomial &sum, Symbols::Toward end) const;
  bool supersedes(const Polynomial &closer, const Polynomial &sum) const;
  void keep(Polynomials &sums, const Polynomial &sum) const;
  Bounds atLeastNumber(Bounds bounds, int64_t number);
  std::optional<Polynomial> leastOfEither(const Bounds &a, const Bounds &b) const;
  /// Upper bounds, or lower bounds, of both of two values.
  Polynomials joinedMost(llvm::ArrayRef<Polynomial> a, llvm::ArrayRef<Polynomial> b, Needs &needs);
  Polynomials joinedLeast(llvm::ArrayRef<Polynomial> a, llvm::ArrayRef<Polynomial> b, Needs &needs);
  Polynomials orderedLeast(llvm::ArrayRef<Polynomial> a, llvm::ArrayRef<Polynomial> b) const;

  Symbols &symbols;
  Conditions &conditions;
};

} // namespace spl::mir::bounds

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as polynomials: sums of products of symbols, each with a coefficient. What the symbols
// are, Symbols.h says. Exact: nothing wraps.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>

namespace spl::mir::bounds {

/// Holds products of a few numbers of 64 bits, and sums of such.
using Wide = __int128;

/// Operations answer nothing where the result would be too large to be of use.
class Polynomial {
public:
  using SymbolId = unsigned;
  /// A product of symbols, in the order of their numbers; of none it is 1.
  using Monomial = llvm::SmallVector<SymbolId, 2>;

  Polynomial() = default; ///< zero
  static Polynomial constant(int64_t value);
  static Polynomial symbol(SymbolId id);

  std::optional<int64_t> asConstant() const;
  const std::map<Monomial, int64_t> &terms() const { return coefficients; }
  bool operator==(const Polynomial &) const = default;

  static std::optional<Polynomial> add(const Polynomial &a, const Polynomial &b);
  static std::optional<Polynomial> subtract(const Polynomial &a, const Polynomial &b);
  static std::optional<Polynomial> multiply(const Polynomial &a, const Polynomial &b);

private:
  bool addTerm(const Monomial &monomial, Wide coefficient);
  static std::optional<Polynomial> addScaled(const Polynomial &a, const Polynomial &b,
                                             int64_t scale);

  std::map<Monomial, int64_t> coefficients; ///< none of them 0
};

} // namespace spl::mir::bounds

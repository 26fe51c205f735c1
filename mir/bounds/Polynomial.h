// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as polynomials: sums of products of symbols, each product with a coefficient. Symbols.h
// defines the symbols. The arithmetic is exact and does not wrap.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>

namespace spl::mir::bounds {

/// Holds sums of products of two numbers of 64 bits.
using Wide = __int128;

/// A value type. Operations return std::nullopt if the result would be too large.
class Polynomial {
public:
  using SymbolId = unsigned;
  /// A product of symbols, in the order of their numbers. The empty product is 1.
  using Monomial = llvm::SmallVector<SymbolId, 2>;

  Polynomial() = default; ///< zero
  static Polynomial constant(int64_t value);
  static Polynomial symbol(SymbolId id);
  static Polynomial product(const Monomial &monomial, int64_t coefficient);

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

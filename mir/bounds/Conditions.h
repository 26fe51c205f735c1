// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions over what a launch is given, each the smallest of some sums against the largest of
// others: min(a, b) <= max(c). Told apart by their text, which is what a signature carries.
#pragma once

#include "mir/bounds/Symbols.h"
#include "llvm/ADT/StringMap.h"

namespace spl::mir::bounds {

/// Conditions by number, without order: what something holds under.
using Needs = llvm::SmallVector<unsigned, 2>;

class Conditions {
public:
  explicit Conditions(const Symbols &symbols) : symbols(symbols) {}

  /// Under what some sum of \p smaller is at most some sum of \p larger: under nothing if that is
  /// so in every launch, and no answer if it is so in none or a launch cannot tell.
  std::optional<Needs> atMost(llvm::ArrayRef<Polynomial> smaller,
                              llvm::ArrayRef<Polynomial> larger);
  /// Whether the one is at most the other in every launch.
  bool isAtMost(const Polynomial &smaller, const Polynomial &larger) const;

  /// Adds a condition, if none implies it, in place of those that it implies; whether it did.
  bool extend(Needs &needs, unsigned condition) const;

  /// As a signature has them: "0 <= n and n <= a.len()".
  std::string text(const Needs &needs) const;
  /// The most letters that it has.
  size_t length(const Needs &needs) const;

private:
  using Polynomials = llvm::SmallVector<Polynomial, 2>;
  struct Condition {
    Polynomials smaller, larger; ///< all of a launch
    std::string text;
  };
  std::string listed(llvm::ArrayRef<Polynomial> sums, llvm::StringRef function) const;
  bool implies(unsigned one, unsigned other) const;

  const Symbols &symbols;
  llvm::SmallVector<Condition> conditions;
  llvm::StringMap<unsigned> numbers;
};

/// Adds \p more to \p needs.
void merge(Needs &needs, const Needs &more);

} // namespace spl::mir::bounds

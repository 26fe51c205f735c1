// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on the arguments and sizes of a launch. Each has the form min(a, b) <= max(c), with
// sums a, b and c. A launch contract (spl/abi/Contract.h) has those that checks need.
#pragma once

#include "mir/bounds/Symbols.h"

namespace spl::mir::bounds {

/// A set of conditions, by number, under which something holds.
using Needs = llvm::SmallVector<unsigned, 2>;

class Conditions {
public:
  explicit Conditions(const Symbols &symbols) : symbols(symbols) {}

  /// The conditions under which some sum of \p smaller is at most some sum of \p larger. They are
  /// empty if that is so in every launch. Returns std::nullopt if it is so in no launch, or if a
  /// launch cannot evaluate the sums.
  std::optional<Needs> atMost(llvm::ArrayRef<Polynomial> smaller,
                              llvm::ArrayRef<Polynomial> larger);
  /// Whether \p smaller is at most \p larger in every launch.
  bool isAtMost(const Polynomial &smaller, const Polynomial &larger) const;

  /// Adds a condition unless the needs imply it, and removes those that it implies. Returns whether
  /// it was added.
  bool extend(Needs &needs, unsigned condition) const;

  /// Whether \p other holds in every launch in which \p one does.
  bool implies(unsigned one, unsigned other) const;

  /// The conditions as a launch contract of one group: "0 <= n and n <= a.len()".
  abi::Contract contract(const Needs &needs) const;
  /// The conditions as a launch contract, in groups.
  abi::Contract contract(llvm::ArrayRef<Needs> groups) const;
  /// The number of steps of that contract.
  size_t stepCount(const Needs &needs) const;

private:
  using Polynomials = llvm::SmallVector<Polynomial, 2>;
  struct Condition {
    Polynomials smaller, larger; ///< a launch can evaluate all of them
    std::vector<abi::Step> steps;
  };
  /// Makes one expression of the sums.
  using Join = abi::Expression (*)(std::vector<abi::Expression> values);
  abi::Expression joined(llvm::ArrayRef<Polynomial> sums, Join join) const;

  const Symbols &symbols;
  llvm::SmallVector<Condition> conditions;
  std::map<std::vector<abi::Step>, unsigned> numbers; ///< the conditions by their steps
};

/// Adds \p more to \p needs.
void merge(Needs &needs, const Needs &more);

} // namespace spl::mir::bounds

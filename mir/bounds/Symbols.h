// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the polynomials of a kernel are of: symbols for what a launch is given, the extents, scalar
// arguments and sizes, and quotients of such; and for values of the kernel that are told apart from
// others but not known.
#pragma once

#include "mir/bounds/Polynomial.h"
#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace spl::mir::bounds {

/// From least to most, both included.
struct Range {
  Wide least, most;
};

/// The symbols of one kernel, which outlives them.
class Symbols {
public:
  explicit Symbols(KernelOp kernel) : kernel(kernel) {}

  /// Sizes of the launch, along an axis. A number where the kernel says it.
  Polynomial numGroups(unsigned axis);
  Polynomial localSize(unsigned axis);
  /// The extent of a slice, or a scalar, among the kernel's parameters.
  Polynomial extent(mlir::BlockArgument slice, unsigned axis);
  Polynomial argument(mlir::BlockArgument scalar);

  /// A value of which nothing is known, or the extent of such a slice.
  Polynomial unknown(mlir::Value value, std::optional<unsigned> axis = std::nullopt);

  /// The quotient rounded down, of what is not negative by what is above 0.
  std::optional<Polynomial> quotient(const Polynomial &of, const Polynomial &by);

  /// A sum that is at most this one, or at least it, with what was divided in place of quotients.
  enum class Toward { Least, Most };
  std::optional<Polynomial> withoutQuotients(const Polynomial &sum, Toward end) const;

  /// Where the sum lies in every launch; nothing if it could be anywhere.
  std::optional<Range> range(const Polynomial &sum) const;
  /// Whether a launch alone tells it.
  bool isKnownAtLaunch(const Polynomial &sum) const;
  /// As the kernel's signature has it: "gpu.global_size(0) - 1".
  std::string text(const Polynomial &sum) const;

private:
  struct Symbol {
    std::string name; ///< of those that a launch tells
    Range range;
    std::optional<unsigned> numGroupsAxis, localSizeAxis;
    std::optional<std::pair<Polynomial, Polynomial>> quotient;
  };
  Polynomial named(const std::string &name, Range range);
  std::string operandText(const Polynomial &sum) const;
  std::string termText(const Polynomial::Monomial &monomial, int64_t coefficient) const;

  KernelOp kernel;
  llvm::SmallVector<Symbol> symbols;
  std::map<std::string, Polynomial::SymbolId> byName;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Polynomial::SymbolId> byValue;
};

} // namespace spl::mir::bounds

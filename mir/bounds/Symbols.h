// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols of the polynomials of a kernel. There are symbols for:
// - extents, scalar arguments and sizes of the launch
// - quotients
// - values of the kernel of which nothing is known
#pragma once

#include "mir/bounds/Polynomial.h"
#include "mir/dialect/SplDialect.h"
#include "spl/abi/Contract.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace spl::mir::bounds {

/// The numbers from least to most, both included.
struct Range {
  Wide least, most;
};

/// The symbols of one kernel, which must outlive this object.
class Symbols {
public:
  explicit Symbols(KernelOp kernel) : kernel(kernel) {}

  /// The number of groups of the launch along an axis.
  Polynomial numGroups(unsigned axis);
  /// The group size along an axis. It is a constant if the kernel fixes it.
  Polynomial localSize(unsigned axis);
  /// The extent of a slice parameter.
  Polynomial extent(mlir::BlockArgument slice, unsigned axis);
  /// A scalar parameter.
  Polynomial argument(mlir::BlockArgument scalar);
  /// \p value is an integer in a parameter of a struct or vector type. The path to it has numbers
  /// of fields, elements and lanes.
  Polynomial part(mlir::BlockArgument composed, llvm::ArrayRef<int64_t> path, mlir::Value value);

  /// A value of which only the type is known. If axis is given, the value is a slice, and this is
  /// its extent along the axis.
  Polynomial unknown(mlir::Value value, std::optional<unsigned> axis = std::nullopt);

  /// The value that the symbol is, or null unless unknown() made it for an integer.
  mlir::Value valueOf(Polynomial::SymbolId symbol) const { return symbols[symbol].value; }

  /// The quotient, rounded down, of a dividend >= 0 and a divisor > 0.
  std::optional<Polynomial> quotient(const Polynomial &of, const Polynomial &by);

  /// Selects a lower bound or an upper bound.
  enum class Toward { Least, Most };
  /// A bound of the sum. It does not contain the quotients that can be eliminated.
  std::optional<Polynomial> withoutQuotients(const Polynomial &sum, Toward end) const;

  /// The range of the sum in every launch, or std::nullopt if it has no limits.
  std::optional<Range> range(const Polynomial &sum) const;
  /// The same, where \p rangeOf gives the range of a value that is a symbol. Extents are no values.
  std::optional<Range> range(const Polynomial &sum,
                             llvm::function_ref<Range(mlir::Value)> rangeOf) const;
  /// Whether the sum depends only on the arguments and sizes of the launch.
  bool isKnownAtLaunch(const Polynomial &sum) const;
  /// The sum as an expression of a launch contract: "gpu.global_size(0) - 1".
  abi::Expression expression(const Polynomial &sum) const;
  /// The text of an expression, with the names of the kernel's parameters.
  std::string text(const abi::Expression &expression) const;

private:
  struct Symbol {
    std::optional<abi::Expression> expression = {}; ///< absent if a launch does not determine it
    Range range;
    mlir::Value value =
        {}; ///< null unless the symbol is an integer of which only the type is known
    std::optional<unsigned> numGroupsAxis = {}, localSizeAxis = {};
    std::optional<std::pair<Polynomial, Polynomial>> quotient = {};
  };
  Polynomial ofLaunch(const abi::Expression &expression, Range range);
  std::optional<size_t> positionOf(mlir::BlockArgument argument);
  abi::Expression operand(const Polynomial &sum) const;
  abi::Expression term(const Polynomial::Monomial &monomial, int64_t coefficient,
                       bool isNegated = false) const;

  KernelOp kernel;
  llvm::SmallVector<Symbol> symbols;
  std::map<std::vector<abi::Step>, Polynomial::SymbolId> bySteps;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Polynomial::SymbolId> byValue;
};

} // namespace spl::mir::bounds

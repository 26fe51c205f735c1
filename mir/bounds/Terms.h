// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers in terms of what a launch is given: sums of products of symbols, where a symbol is an
// extent, a scalar argument or a size of the launch; or a value of the kernel that is told apart
// from others but not known. Exact arithmetic: what a sum says holds where nothing wraps.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <string>

namespace spl::mir::bounds {

/// Holds sums of products of numbers of 64 bits, up to a point.
using Wide = __int128;

/// From least to most, both included.
struct Range {
  Wide least, most;
};

/// A sum of products of symbols, each with a count. Operations answer nothing where the result
/// would be too large to be of use.
class Sum {
public:
  using SymbolId = unsigned;
  /// In the order of their numbers; none is the number 1.
  using Factors = llvm::SmallVector<SymbolId, 2>;

  Sum() = default; ///< zero
  static Sum number(int64_t value);
  static Sum symbol(SymbolId id);

  std::optional<int64_t> asNumber() const;
  const std::map<Factors, int64_t> &products() const { return counts; }
  bool operator==(const Sum &) const = default;

  static std::optional<Sum> add(const Sum &a, const Sum &b);
  static std::optional<Sum> subtract(const Sum &a, const Sum &b);
  static std::optional<Sum> multiply(const Sum &a, const Sum &b);

private:
  bool addProduct(const Factors &factors, Wide count);
  static std::optional<Sum> addScaled(const Sum &a, const Sum &b, int64_t scale);

  std::map<Factors, int64_t> counts; ///< none of them 0
};

/// The symbols of one kernel.
class Symbols {
public:
  explicit Symbols(KernelOp kernel) : kernel(kernel) {}

  /// Sizes of the launch, along an axis. A number where the kernel says it.
  Sum numGroups(unsigned axis);
  Sum localSize(unsigned axis);
  /// The extent of a slice, or a scalar, among the kernel's parameters.
  Sum extent(mlir::BlockArgument slice, unsigned axis);
  Sum argument(mlir::BlockArgument scalar);

  /// A value of which nothing is known, or the extent of such a slice.
  Sum unknown(mlir::Value value, std::optional<unsigned> axis = std::nullopt);

  /// The quotient rounded down, of what is not negative by what is above 0.
  std::optional<Sum> quotient(const Sum &of, const Sum &by);

  /// A sum that is at most this one, or at least it, with what was divided in place of quotients.
  enum class Toward { Least, Most };
  std::optional<Sum> withoutQuotients(const Sum &sum, Toward end) const;

  /// Where the sum lies in every launch; nothing if it could be anywhere.
  std::optional<Range> range(const Sum &sum) const;
  /// Whether a launch alone tells it.
  bool isOfLaunch(const Sum &sum) const;
  /// As the kernel's signature has it: "gpu.global_size(0) - 1".
  std::string text(const Sum &sum) const;

private:
  struct Symbol {
    std::string name; ///< of those that a launch tells
    Range range;
    std::optional<unsigned> numGroupsAxis, localSizeAxis;
    std::optional<std::pair<Sum, Sum>> quotient;
  };
  Sum named(const std::string &name, Range range);
  std::string operandText(const Sum &sum) const;
  std::string productText(const Sum::Factors &factors, int64_t count) const;

  KernelOp kernel;
  llvm::SmallVector<Symbol> symbols;
  std::map<std::string, Sum::SymbolId> byName;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Sum::SymbolId> byValue;
};

} // namespace spl::mir::bounds

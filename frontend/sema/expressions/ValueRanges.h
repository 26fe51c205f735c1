// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of integer values that follow from constants, types and built-in functions alone. Only
// warnings depend on them. Nothing here fails.
#pragma once

#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace spl::sema {

/// The values from `least` to `most`.
struct ValueRange {
  int64_t least, most;
};
/// Nothing means that a value may be larger than an i64, as a u64 may be.
using MaybeRange = std::optional<ValueRange>;

/// The ranges of the locals of one body whose value never changes: vals and variables of loops.
class ValueRanges {
public:
  /// Keeps the range of a local. Nothing is kept for a range that its type has anyway.
  void declare(const Local &local, MaybeRange range);
  /// The range of an integer expression.
  MaybeRange of(const Expr &expr) const;
  /// The range of a sum, a difference, a product or a power as if the type were unbounded. Nothing
  /// for other operators, and if it does not fit i64.
  MaybeRange unbounded(const BinaryExpr &expr) const;
  /// The range of the variable of a loop. `step` may be null.
  MaybeRange ofLoop(const Expr &lower, const Expr &upper, bool isInclusive, const Expr *step) const;

private:
  MaybeRange ofBinary(const BinaryExpr &expr) const;
  MaybeRange ofIntrinsic(const IntrinsicExpr &expr) const;

  llvm::DenseMap<const Local *, ValueRange> known;
};

/// Whether every value of the range is a value of the integer type.
bool holds(Type type, MaybeRange range);

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises loops in which the work-items of a group of fixed size stride over a range. The
// objects refer to operations of these loops, and are valid until they change.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <array>
#include <optional>

namespace spl::mir {

/// The number that the value has in every launch, if that follows from constants.
std::optional<int64_t> numberOf(mlir::Value value, unsigned depth = 0);

/// The loops over all work-items of a group of fixed size, and nothing else with effects.
struct Nest {
  std::array<mlir::scf::ForOp, 3> loops; ///< over x, y and z
  std::array<int64_t, 3> sizes;

  int64_t count() const { return sizes[0] * sizes[1] * sizes[2]; }
  bool isInside(mlir::Value value) const {
    return !mlir::scf::ForOp(loops[2]).isDefinedOutsideOfLoop(value);
  }
};

/// A loop `for k in me..end step size`, where me is the flat id, and size the number of work-items.
struct Stride {
  mlir::Operation *loop;
  mlir::Block *body;
  mlir::Value variable, end;
};

/// The loops around \p items, the loop over x, or std::nullopt if the group has no fixed size or
/// the loops do more.
std::optional<Nest> nestOf(mlir::scf::ForOp items);
/// The loop that is all the work-items do, or std::nullopt if they do something else.
std::optional<Stride> strideOf(const Nest &nest);
/// Whether the rounds of a work-item may run in any order. What the body stores to has one store,
/// to another element in each round, and the body does not load from it.
bool hasIndependentRounds(const Stride &stride, const Nest &nest);
/// Whether the operation divides the variable by a constant, and by which one.
std::optional<int64_t> divisorOf(mlir::Operation &op, mlir::Value variable);
/// The width of the rows that the loop's variable goes through: the only constant by which it is
/// divided. Zero if there are none or several.
int64_t widthOf(const Stride &stride);

} // namespace spl::mir

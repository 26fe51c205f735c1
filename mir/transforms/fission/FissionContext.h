// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that the parts of barrier fission share. It exists for one kernel. There is a scope for
// the group, and within it a scope for a warp. In each scope, a value of the old body is one of
// these:
// - hoisted: computed once, outside the loops. These are uniform values and results that all lanes
//   share.
// - saved: in memory, with an element for each work-item or lane. These are values that a later
//   region needs.
// - recomputed: computed again in each region that needs it, because that is cheap.
// - private: used only in its own region.
#pragma once

#include "mir/transforms/Uniformity.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "spl/abi/Limits.h"

namespace spl::mir {

using Values = llvm::SmallVector<mlir::Value>;

struct FissionContext {
  FissionContext(KernelOp kernel, PassIds passIds, int64_t usualWidth, bool hasWarps);

  static constexpr int64_t warpSize = abi::warpSize;
  static constexpr int64_t maxGroupSize = abi::maxGroupSize;

  /// Maps values of the old body to values of the new body.
  struct Scope {
    mlir::IRMapping hoisted;
    /// The slice of each saved value, with an element for each work-item or lane.
    llvm::DenseMap<mlir::Value, mlir::Value> saved;
    mlir::Operation *top = nullptr; ///< memory for saved values is allocated after it
  };
  Scope &scope() { return inWarp ? warp : group; }
  /// The analysis of the current scope.
  const Uniformity &uniformity() const;

  mlir::Value integer(int64_t value, unsigned width = 64);
  mlir::Value zeroOf(mlir::Type type);
  template <typename Op> mlir::Value compute(mlir::Value a, mlir::Value b) {
    return Op::create(builder, loc, a, b);
  }
  mlir::Value load(mlir::Value slice, mlir::Value index);

  KernelOp kernel;
  PassIds passIds;
  const int64_t usualWidth;              ///< of a group along x, or 0 for any number
  const Uniformity inGroup;              ///< or in all groups, if several run side by side
  const std::optional<Uniformity> inRow; ///< in a warp that is part of a row; if there are warps
  mlir::OpBuilder builder;
  mlir::Location loc;

  LocalIds sizes;    ///< of the group
  mlir::Value count; ///< number of work-items in the group
  /// Whether groups side by side run the current region one after the other.
  bool isByGroup = false;
  Scope group;

  bool inWarp = false; ///< whether warp and lanes are valid
  Scope warp;
  llvm::SmallPtrSet<mlir::Operation *, 16> warpRegion; ///< the operations that run for a warp
  /// The lanes of the current warp.
  struct {
    mlir::Value first;   ///< the flat id of lane 0 in the group
    mlir::Value count;   ///< number of work-items in the warp
    mlir::Value mask;    ///< i32: the active lanes
    bool areAll = false; ///< whether all work-items of the warp are active
    bool areRow = false; ///< whether there are 32 work-items, adjacent along x
    LocalIds firstIds;   ///< of lane 0, if they are a row
  } lanes;
};

} // namespace spl::mir

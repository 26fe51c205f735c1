// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of barrier fission share. A value of the old body is, in the scope of the group
// and, within it, in the scope of a warp, one of these:
//   hoisted     computed once, outside the loops: uniform values, and results that all lanes share
//   saved       an element for each work-item or lane, in memory: values needed in a later region
//   recomputed  in each region that needs it, where that is cheap
//   private     used in its own region only
// Lives for one kernel.
#pragma once

#include "spl/abi/Limits.h"
#include "mir/transforms/Uniformity.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace spl::mir {

using Values = llvm::SmallVector<mlir::Value>;

struct FissionContext {
  FissionContext(KernelOp kernel, PassIds passIds);

  static constexpr int64_t warpSize = abi::warpSize;
  static constexpr int64_t maxGroupSize = abi::maxGroupSize;

  /// What is known of the values of the old body, as values of the new body.
  struct Scope {
    mlir::IRMapping hoisted;
    llvm::DenseMap<mlir::Value, mlir::Value> saved; ///< the slice with an element for each
    mlir::Operation *top = nullptr;                 ///< memory for saved values goes after it
  };
  Scope &scope() { return inWarp ? warp : group; }

  mlir::Value integer(int64_t value, unsigned width = 64);
  mlir::Value zeroOf(mlir::Type type);
  template <typename Op> mlir::Value compute(mlir::Value a, mlir::Value b) {
    return Op::create(builder, loc, a, b);
  }
  mlir::Value load(mlir::Value slice, mlir::Value index);

  KernelOp kernel;
  PassIds passIds;
  Uniformity uniformity;
  mlir::OpBuilder builder;
  mlir::Location loc;

  LocalIds sizes;    ///< of the group
  mlir::Value count; ///< of the group's work-items
  Scope group;

  bool inWarp = false; ///< whether the warp's part below is valid
  Scope warp;
  /// The lanes of the warp that run.
  struct {
    mlir::Value first;   ///< the work-item of lane 0, in the group
    mlir::Value count;   ///< work-items in the warp
    mlir::Value mask;    ///< i32: the active lanes
    bool areAll = false; ///< whether all work-items of the warp are active
  } lanes;
};

} // namespace spl::mir

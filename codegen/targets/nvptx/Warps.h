// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers intrinsics of warps and groups to instructions of PTX: barriers, votes, shuffles,
// reductions.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// Emits an intrinsic whose lowering is Warp (Intrinsics.def). Returns its result, or null if it
/// has none. \p hasRedux says whether the architecture has redux.sync, as all from sm_80 on.
mlir::FailureOr<mlir::Value> emitWarpIntrinsic(mir::IntrinsicOp op, mlir::ValueRange operands,
                                               mlir::ConversionPatternRewriter &rewriter,
                                               bool hasRedux);

} // namespace spl::codegen

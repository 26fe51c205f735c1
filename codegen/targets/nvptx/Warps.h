// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics of warps and groups as instructions of PTX: barriers, votes, shuffles, reductions.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// Emits an intrinsic whose lowering is Warp (Intrinsics.def). Returns its result; null for one
/// without.
mlir::FailureOr<mlir::Value> emitWarpIntrinsic(mir::IntrinsicOp op, mlir::ValueRange operands,
                                               mlir::ConversionPatternRewriter &rewriter);

} // namespace spl::codegen

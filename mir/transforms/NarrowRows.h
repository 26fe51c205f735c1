// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of few work-items, as those of tiles. Most tiles are whole, and the row then runs with a
// simpler loop.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// Loops over fewer work-items are narrow rows. Passes do not split them, and LLVM makes no vectors
/// of them where it is not told to.
inline constexpr int64_t leastWide = 64;

/// Lets \p whole, a loop in front of \p row, run instead of it if the row would run from \p begin
/// to \p end. \p row becomes a loop that seldom runs: no gang, and not unrolled. The builder is in
/// front of both.
void runIfWhole(mlir::OpBuilder &builder, mlir::scf::ForOp row, mlir::scf::ForOp whole,
                mlir::Value begin, mlir::Value end);

} // namespace spl::mir

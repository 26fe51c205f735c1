// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the same for all lanes of a warp, if the size of the group along x is a multiple of the
// size of a warp. Each warp is then a part of a row, and its first local id along x is a multiple
// of 32.
#pragma once

#include "mir/dialect/SplDialect.h"

namespace spl::mir {

/// Whether the operation divides an id along x by a multiple of the size of a warp, as in
/// `gpu.global_id() / gpu.warp_size()`.
bool isQuotientOfWarp(mlir::Operation *op);

} // namespace spl::mir

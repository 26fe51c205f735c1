// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limit of sizes in versions of kernels whose indices fit in 32 bits (spl-small-sizes).
#pragma once

#include "mir/dialect/SplDialect.h"
#include <cstdint>

namespace spl::mir {

/// The most elements of a slice, and the most work-items along an axis. A sum of such a number and
/// an extent of a group or a tile is below 2^31 as well.
inline constexpr int64_t maxSmallSize = 2'000'000'000;

inline bool hasSmallSizes(KernelOp kernel) { return kernel->hasAttr(SplDialect::smallSizesAttr); }

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reductions of a warp and of a group by the same operation.
#pragma once

#include "intrinsics/Intrinsics.h"

namespace spl::intrinsics {

/// A reduction of a group, and that of its warps from which it is computed.
struct Reduction {
  Id group, warp;
};

inline constexpr Reduction reductions[] = {
    {Id::GroupSum, Id::WarpSum}, {Id::GroupMin, Id::WarpMin}, {Id::GroupMax, Id::WarpMax},
    {Id::GroupAnd, Id::WarpAnd}, {Id::GroupOr, Id::WarpOr},   {Id::GroupXor, Id::WarpXor},
};

constexpr bool isWarpReduction(Id id) {
  for (const Reduction &reduction : reductions)
    if (reduction.warp == id)
      return true;
  return false;
}

/// The reduction of a group, or null.
constexpr const Reduction *findGroupReduction(Id id) {
  for (const Reduction &reduction : reductions)
    if (reduction.group == id)
      return &reduction;
  return nullptr;
}

} // namespace spl::intrinsics

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of the groups of a kernel that fixes it.
#pragma once

#include "spl/abi/Signature.h"
#include <algorithm>
#include <array>
#include <optional>

namespace spl::mir {

/// The extents along x, y and z that `block` gives; those that it leaves out are 1. Nothing if the
/// launch chooses the size.
inline std::optional<std::array<int64_t, 3>> fixedGroupSize(const abi::Signature &signature) {
  if (signature.block.empty())
    return std::nullopt;
  std::array<int64_t, 3> extents{1, 1, 1};
  std::copy(signature.block.begin(), signature.block.end(), extents.begin());
  return extents;
}

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the language says of every device: how many lanes and work-items go together, and how much
// memory they have. A launch asks the runtime's device for its own limits besides.
#pragma once

#include <bit>
#include <cstdint>

namespace spl::intrinsics {

/// Lanes of a warp, on CUDA and on the CPU.
constexpr int64_t warpSize = 32;
/// A flat id in its group, shifted right by so much, is the warp's number.
constexpr int64_t warpShift = std::countr_zero(uint64_t(warpSize));
static_assert(int64_t(1) << warpShift == warpSize && warpSize == 32, "a mask of lanes is a u32");
/// Work-items of a group.
constexpr int64_t maxGroupSize = 1024;
/// Work-items of a group, and groups of a launch, along each axis.
constexpr int64_t maxLocalSize[] = {maxGroupSize, maxGroupSize, 64};
constexpr int64_t maxGroups[] = {2147483647, 65535, 65535};
/// The extent of an array: no address space holds more elements.
constexpr int64_t maxExtent = (int64_t(1) << 60) - 1;
/// Warps of a group. The lanes of one warp can take a value of each.
constexpr int64_t maxWarps = maxGroupSize / warpSize;
static_assert(maxWarps <= warpSize);
/// Bytes of a kernel's shared arrays; dynamic shared memory may be larger.
constexpr uint64_t maxSharedBytes = 48 << 10;
/// Bytes of a work-item's own arrays and structs, those of the functions that it is in included:
/// what CUDA has, and well within the stack of a CPU's thread.
constexpr uint64_t maxLocalBytes = 512 << 10;

} // namespace spl::intrinsics

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of the language, which hold on every device: the sizes of warps, groups, launches and
// memory. A launch also checks the limits of its device.
#pragma once

#include <bit>
#include <cstdint>

namespace spl::intrinsics {

/// Lanes of a warp, on CUDA and on the CPU.
constexpr int64_t warpSize = 32;
/// The number of a warp is the flat id of a work-item in its group, shifted right by warpShift.
constexpr int64_t warpShift = std::countr_zero(uint64_t(warpSize));
static_assert(int64_t(1) << warpShift == warpSize && warpSize == 32, "a mask of lanes is a u32");
/// The maximum number of work-items of a group.
constexpr int64_t maxGroupSize = 1024;
/// The maximum number of work-items of a group, and of groups of a launch, along each axis.
constexpr int64_t maxLocalSize[] = {maxGroupSize, maxGroupSize, 64};
constexpr int64_t maxGroups[] = {2147483647, 65535, 65535};
/// The maximum extent of an array. No address space holds more elements.
constexpr int64_t maxExtent = (int64_t(1) << 60) - 1;
/// The maximum number of warps of a group. The lanes of one warp can each hold the value of one
/// warp.
constexpr int64_t maxWarps = maxGroupSize / warpSize;
static_assert(maxWarps <= warpSize);
/// The maximum size of a kernel's shared arrays, in bytes. Dynamic shared memory may be larger.
constexpr uint64_t maxSharedBytes = 48 << 10;
/// The maximum size of a work-item's arrays and structs, in bytes, in all functions of its
/// call chain. This is CUDA's limit of local memory. It fits in the stack of a CPU thread.
constexpr uint64_t maxLocalBytes = 512 << 10;

} // namespace spl::intrinsics

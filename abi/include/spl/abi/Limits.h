// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Limits of the language, which hold on every device: the sizes of warps, groups, launches and
/// memory. A launch also checks the limits of its device.
#ifndef SPL_ABI_LIMITS_H
#define SPL_ABI_LIMITS_H

#include <bit>
#include <cstdint>

namespace spl::abi {

/// Lanes of a warp, on CUDA and on the CPU.
inline constexpr std::int64_t warpSize = 32;
/// Whether operations of a warp can have segments of so many lanes.
constexpr bool isSegmentWidth(std::int64_t lanes) {
  return lanes >= 2 && lanes <= warpSize && std::has_single_bit(std::uint64_t(lanes));
}
/// The number of a warp is the flat id of a work-item in its group, shifted right by warpShift.
inline constexpr std::int64_t warpShift = std::countr_zero(std::uint64_t(warpSize));
static_assert(std::int64_t(1) << warpShift == warpSize && warpSize == 32,
              "a mask of lanes is a u32");
/// The maximum number of work-items of a group.
inline constexpr std::int64_t maxGroupSize = 1024;
/// The maximum number of work-items of a group, and of groups of a launch, along each axis.
inline constexpr std::int64_t maxLocalSize[] = {maxGroupSize, maxGroupSize, 64};
inline constexpr std::int64_t maxGroups[] = {2147483647, 65535, 65535};
/// The maximum extent of an array. No address space holds more elements.
inline constexpr std::int64_t maxExtent = (std::int64_t(1) << 60) - 1;
/// The maximum number of warps of a group. One warp has a lane for each of them, so it can combine
/// one value from each warp.
inline constexpr std::int64_t maxWarps = maxGroupSize / warpSize;
static_assert(maxWarps <= warpSize);
/// The maximum size of a kernel's shared arrays, in bytes. Dynamic shared memory may be larger.
inline constexpr std::uint64_t maxSharedBytes = 48 << 10;
/// The maximum size of a work-item's arrays and structs in bytes: the sum over the functions of one
/// call chain. This is CUDA's limit of local memory. It fits in the stack of a CPU thread.
inline constexpr std::uint64_t maxLocalBytes = 512 << 10;

/// A vector has one of these numbers of lanes, and at most so many bytes.
inline constexpr int vectorLanes[] = {2, 4, 8, 16};
inline constexpr unsigned maxVectorBytes = 16;

} // namespace spl::abi

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the language says of every device: how many lanes and work-items go together, and how much
// memory they share. A launch asks the runtime's device for its own limits besides.
#pragma once

#include <cstdint>

namespace spl::intrinsics {

/// Lanes of a warp, on CUDA and on the CPU.
constexpr int64_t warpSize = 32;
/// Work-items of a group.
constexpr int64_t largestGroup = 1024;
/// Bytes of a kernel's shared arrays; dynamic shared memory may be larger.
constexpr uint64_t maxSharedBytes = 48 << 10;

} // namespace spl::intrinsics

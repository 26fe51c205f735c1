// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of NVPTX's address spaces.
#pragma once

namespace spl::codegen {

inline constexpr unsigned globalMemory = 1;
inline constexpr unsigned sharedMemory = 3;
inline constexpr unsigned constantMemorySpace = 4;

/// Generic memory is space 0, and global memory is space 1. The spaces above have addresses for
/// which ptxas computes 32 bits.
inline constexpr unsigned largestWideSpace = 1;

} // namespace spl::codegen

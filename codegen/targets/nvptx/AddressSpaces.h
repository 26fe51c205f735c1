// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address spaces of NVPTX whose addresses have 64 bits.
#pragma once

namespace spl::codegen {

/// Generic memory is space 0, and global memory is space 1. The spaces above have addresses for
/// which ptxas computes 32 bits.
inline constexpr unsigned largestWideSpace = 1;

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many small groups compiled code for the CPU runs side by side. The compiler makes code for
// that many, and the runtime gives it as many at once.
#pragma once

#include <cstdint>

namespace spl::abi {

/// The most groups that run side by side.
inline constexpr std::int64_t maxSideBySide = 16; // a vector of AVX-512 with elements of 32 bits
/// The most work-items of a group that runs so.
inline constexpr std::int64_t maxSmallGroup = 16;

} // namespace spl::abi

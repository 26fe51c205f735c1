// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the ids and sizes of a launch on an NVIDIA GPU, beyond what LLVM knows of the
// special registers.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace spl::codegen {

/// On a kernel: it has the attribute spl.small_sizes (mir/dialect/SmallSizes.h).
inline constexpr llvm::StringLiteral smallSizesAttr = "spl-small-sizes";

/// Gives the local ids of kernels with a fixed group size their ranges. With small sizes, the group
/// ids and the numbers of groups have ranges too.
void boundIds(llvm::Module &module);

/// Computes the global ids and global sizes of a kernel with small sizes in 32 bits. Other values
/// that depend on them keep 64 bits.
void narrowGlobalIds(llvm::Function &kernel);

} // namespace spl::codegen

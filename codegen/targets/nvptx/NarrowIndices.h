// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass that computes indices in 32 bits, in the versions of kernels whose launches have
// small sizes (mir/dialect/SmallSizes.h). The language computes indices in i64, and a GPU takes two
// instructions for most operations of 64 bits.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// On a kernel with small sizes: the numbers of the parameters that are slices of bytes, with
/// commas between them. The type of an address does not tell an index of bytes from an offset in
/// bytes.
inline constexpr llvm::StringLiteral byteSlicesAttr = "spl-byte-slices";

/// Runs at the end of LLVM's optimisations. Before, it would hide from them how the addresses of a
/// loop follow from its counter.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen

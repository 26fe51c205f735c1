// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass that computes indices in 32 bits, in the versions of kernels whose launches have
// small sizes (mir/dialect/SmallSizes.h). The language computes indices in i64, and a GPU takes two
// instructions for most operations of 64 bits.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// On a kernel with small sizes: the parameters that are addresses of slices, and the sizes of
/// their elements in bytes, as "0:4,3:16". The type of an address may be smaller than an element.
inline constexpr llvm::StringLiteral elementSizesAttr = "spl-element-sizes";

/// Runs at the end of LLVM's optimisations. Earlier, the pass would hide from them how the
/// addresses of a loop follow from its counter.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen

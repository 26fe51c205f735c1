// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of x86 that gather and scatter take indices of 32 or of 64 bits. With 32 bits
// they move twice as many elements at once. LLVM selects instructions block by block: it uses
// indices of 32 bits only if their extension to 64 bits is in the block of the access. The check of
// an index is a branch between the two.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Puts a copy of the address, and of the sign extension of its index, directly in front of each
/// masked gather and scatter, if the extension is in another block. If then only reports of faults
/// use the extension, it moves to them. Runs after all optimisations, which would merge the copies.
void narrowGatherIndices(llvm::Module &module);

} // namespace spl::codegen

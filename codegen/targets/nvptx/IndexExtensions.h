// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extends an i32 index where an address, or the distance of two addresses, is computed from it. A
// GPU extends, multiplies and adds in one instruction, mad.wide. LLVM selects instructions for one
// block at a time. So it does not find the extension in another block: that of the index's check,
// or the first one, for a stride.
#pragma once

namespace spl::codegen {

/// Lets the code generator for NVIDIA GPUs copy extensions of indices to the blocks of their
/// addresses. It applies to all that this process compiles for NVIDIA GPUs. Call it before the
/// first code is generated.
void extendIndicesAtAddresses();

} // namespace spl::codegen

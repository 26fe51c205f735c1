// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of floats to integers, by the instructions of PTX. They saturate, which LLVM does not
// use: it compares with the limits of the integer.
#pragma once

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Replaces llvm.fptosi.sat and llvm.fptoui.sat. Runs after LLVM's optimisations, which know more
/// of these intrinsics than of those of PTX. Rounding before the conversion becomes part of it.
void expandSaturatingCasts(llvm::Module &module);

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips passes of LLVM's pipeline that find nothing to do in kernels. A module of kernels has many
// small parts, and each pass takes time in each of them.
#pragma once

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace spl::codegen {

/// Lets a pipeline skip passes for what no kernel has: indirect calls, OpenMP, and profiles.
void skipUnneededPasses(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace spl::codegen

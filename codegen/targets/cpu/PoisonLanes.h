// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22's x86 back end turns a choice of lanes between two vectors into an OR where it knows that
// each vector is zero in the lanes that are not chosen. Such a lane may be poison: its shift count
// is out of range, or the operation breaks a flag such as nuw. It then counts as zero, but the
// instruction leaves other bits there: VPSRAVD and VPSRAVQ fill it with the sign, PSUBD wraps. The
// OR adds these bits to the result.
//
// LLVM's passes make such lanes, and may: the SLP vectoriser applies one operation to all lanes
// where the operations differ.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// In an optimised module, rewrites operations on vectors of integers: lanes of shifts whose count
/// is known to be out of range get one in range; nuw, nsw, exact and disjoint are dropped. Results
/// that are not poison stay the same.
void definePoisonLanes(llvm::Module &module);

} // namespace spl::codegen

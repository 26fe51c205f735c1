// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The x86 back end of LLVM 22 replaces a select between two vectors by an OR, if it knows that each
// vector is zero in the lanes that are not selected. It assumes that a poison lane is zero. A lane
// is poison if its shift count is out of range, or if it violates a flag such as nuw. But the
// instruction writes other bits to a poison lane: VPSRAVD and VPSRAVQ write the sign, PSUBD wraps.
// The OR adds these bits to the result.
//
// LLVM's passes are allowed to create poison lanes. For example, the SLP vectoriser applies one
// operation to all lanes, although some lanes need another operation.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Rewrites operations on vectors of integers in an optimised module. Shift counts that are known
/// to be out of range are replaced by counts in range. The flags nuw, nsw, exact and disjoint are
/// dropped. Results that are not poison do not change.
void definePoisonLanes(llvm::Module &module);

} // namespace spl::codegen

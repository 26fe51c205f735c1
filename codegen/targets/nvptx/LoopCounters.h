// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes counters of 64 bits that only decide whether a loop has another round. Each addition to
// such a counter is two instructions of the GPU.
#pragma once

namespace spl::codegen {

/// Lets the code generator for NVIDIA GPUs compare an address, or another value that changes by the
/// same amount in each round, with its last value in place of a counter. This follows loop strength
/// reduction, which is part of the code generator and chooses these values. It applies to all that
/// this process compiles for NVIDIA GPUs. Call it before the first code is generated.
void removeLoopCounters();

} // namespace spl::codegen

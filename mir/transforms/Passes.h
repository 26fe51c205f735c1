// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on MIR. Passes.td, CpuPasses.td and GpuPasses.td
// declare them; each has a create function and a struct of options. A
// pass reports errors through MLIR's diagnostics, and fails after one.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class Pass;
}

namespace spl::mir {

/// What a target supports for f16 or bf16. Each level includes the levels before it.
enum class Float16Support {
  None,        ///< loads, stores and moves
  Conversions, ///< conversions to and from f32
  Arithmetic,  ///< + - * / fma and comparisons
  Atomics,     ///< atomic additions of pairs
};

#define GEN_PASS_DECL
#include "mir/transforms/Passes.h.inc"

/// Registers the passes for simple-opt.
void registerPasses();

} // namespace spl::mir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over MIR, as Passes.td declares them: a create function and an options struct each. A
// pass that cannot do its work reports through MLIR's diagnostics and fails.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class Pass;
}

namespace spl::mir {

/// What a target has for f16 or bf16; each has what is before it too.
enum class Float16Support {
  None,        ///< to move its bits
  Conversions, ///< to and from f32
  Arithmetic,  ///< + - * / fma and comparisons
  Atomics,     ///< the atomic sum of a pair
};

#define GEN_PASS_DECL
#include "mir/transforms/Passes.h.inc"

/// Makes the passes known by name, for simple-opt.
void registerPasses();

} // namespace spl::mir

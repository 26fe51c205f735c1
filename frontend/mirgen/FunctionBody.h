// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the body of one function. Cannot fail.
#pragma once

#include "frontend/mirgen/ModuleGen.h"
#include "frontend/sema/Program.h"

namespace spl::mirgen {

/// Emits the body of the function with its spl.return at the builder's insertion point.
void emitBody(ModuleGen &module, const sema::Function &function,
              mlir::Block::BlockArgListType arguments);

} // namespace spl::mirgen

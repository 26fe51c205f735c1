// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices of a work-item's own memory: an array, a parameter or a temporary must not be viewed after
// it is gone.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/sema/Program.h"

namespace spl::sema {

/// Reports slices that are kept longer than the memory that they view.
void checkLifetimes(diag::Engine &diagnostics, const Function &function);

} // namespace spl::sema

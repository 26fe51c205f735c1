// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lifetimes of a work-item's own memory. A slice must not outlive the array, parameter or
// temporary that it views.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/sema/Program.h"

namespace spl::sema {

/// Reports slices that outlive the memory that they view.
void checkLifetimes(diag::Engine &diagnostics, const Function &function);

} // namespace spl::sema

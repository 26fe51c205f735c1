// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for loops over a range, over the elements of an array or a slice, and over gpu.grid_stride.
#pragma once

#include "frontend/sema/statements/Statements.h"

namespace spl::sema {

CheckedStmt checkFor(BodyContext &context, const syntax::ForStmt &stmt);
CheckedStmt checkForEach(BodyContext &context, const syntax::ForEachStmt &stmt);

} // namespace spl::sema

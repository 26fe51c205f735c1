// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// match statements. The patterns are constants, and they must cover every value. A match becomes an
// if.
#pragma once

#include "frontend/sema/statements/Statements.h"

namespace spl::sema {

CheckedStmt checkMatch(BodyContext &context, const syntax::MatchStmt &stmt);

} // namespace spl::sema

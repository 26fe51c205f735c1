// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// match: its patterns are constants, and it covers every value. It becomes an if of the subject.
#pragma once

#include "frontend/sema/statements/Statements.h"

namespace spl::sema {

CheckedStmt checkMatch(BodyContext &context, const syntax::MatchStmt &stmt);

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are open, their labels, and break and continue. A jump to a loop further out becomes a
// number in a hidden local and a break. Behind each loop that it leaves, an if continues it:
//
//   outer: for i in a..b:            for i in a..b:
//       for j in c..d:                   var $jump = 0
//           if p: continue outer         for j in c..d:
//       f(i)                                 if p:
//                                                $jump = 1
//                                                break
//                                        if $jump == 1: continue
//                                        f(i)
#pragma once

#include "frontend/sema/statements/BodyContext.h"
#include "frontend/sema/statements/Statements.h"

namespace spl::sema {

/// Opens a loop. The label has an empty name if there is none.
void openLoop(BodyContext &context, const syntax::Identifier &label);
/// Closes the innermost loop, and returns it.
BodyContext::Loop closeLoop(BodyContext &context);
CheckedStmt checkJump(BodyContext &context, const syntax::Stmt &stmt,
                      const syntax::Identifier &label);
/// Adds to a loop what continues the jumps that leave it. \p closed is what closeLoop returned for
/// it.
CheckedStmt withJumps(BodyContext &context, const BodyContext::Loop &closed, CheckedStmt loop);

} // namespace spl::sema

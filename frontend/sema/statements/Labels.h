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

/// Opens a loop with the label in \p context.
void openLoop(BodyContext &context);
void closeLoop(BodyContext &context);
CheckedStmt checkJump(BodyContext &context, const syntax::Stmt &stmt,
                      const syntax::Identifier &label);
/// Adds to the loop that was closed last what continues the jumps that leave it.
CheckedStmt withJumps(BodyContext &context, CheckedStmt loop);

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the syntax tree for tests and --emit ast, one statement in each line:
//   (kernel f (param a &[f32])
//     (= (index a i) (+ (index a i) 1)))
#pragma once

#include "frontend/syntax/Ast.h"

namespace llvm {
class raw_ostream;
}

namespace spl::syntax {

void dumpAst(const File &file, llvm::raw_ostream &os);
void dumpExpr(const Expr &expr, llvm::raw_ostream &os);

} // namespace spl::syntax

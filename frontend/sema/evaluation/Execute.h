// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the statements of a function that a constant calls, and evaluates lists of constants.
#pragma once

#include "frontend/sema/evaluation/Frame.h"

namespace spl::sema {

class Evaluator;
class Session;

/// Runs the body of a function. Returns false if it faults or does what no constant can; the error
/// is reported.
bool execute(Evaluator &evaluator, Execution &execution, Frame &frame, Block body);

/// Evaluates an expression for `count` values of a variable of type i64, from `first` on. Returns
/// false after an error.
bool evaluateEach(Session &session, const Expr &expr, const Local &variable, int64_t first,
                  uint64_t count, llvm::SmallVectorImpl<const Expr *> &values);

} // namespace spl::sema

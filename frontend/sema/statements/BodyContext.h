// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of checking the statements of one body: the state of checking expressions, and the open
// loops. Created on the stack.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"
#include <vector>

namespace spl::sema {

struct BodyContext : ExpressionContext {
  using ExpressionContext::ExpressionContext;

  struct Loop {
    bool hasBreak = false; ///< whether the loop has a break that can be reached
  };
  std::vector<Loop> loops; ///< the open loops, outermost first
  /// Whether control reaches the statement; unreachable code is reported once.
  bool isReachable = true;
};

} // namespace spl::sema

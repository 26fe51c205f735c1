// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of checking statements: that of expressions, and what only statements know. Created on
// the stack for one body.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"
#include <vector>

namespace spl::sema {

struct BodyContext : ExpressionContext {
  using ExpressionContext::ExpressionContext;

  struct Loop {
    bool hasBreak = false; ///< one that can be reached
  };
  std::vector<Loop> loops; ///< the open loops, outermost first
  bool isReachable =
      true; ///< whether control reaches the statement; unreachable code is reported once
};

} // namespace spl::sema

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

  /// A break or continue of a loop, by its number among the open ones.
  struct Jump {
    size_t loop;
    bool isBreak;
    friend bool operator==(const Jump &, const Jump &) = default;
  };
  struct Loop {
    bool hasBreak = false; ///< whether the loop has a break that can be reached
    syntax::Identifier label = {};
    bool isLabelUsed = false;
    /// The number of the jump by which the loop is left for one around it, 0 for none; null if
    /// there is no such jump.
    const Local *jump = nullptr;
    /// The jumps by their numbers less 1.
    llvm::SmallVector<Jump, 2> jumps = {};
  };
  std::vector<Loop> loops;                ///< the open loops, outermost first
  llvm::SmallVector<StringRef, 2> labels; ///< of all loops so far
  /// Whether control reaches the statement; unreachable code is reported once.
  bool isReachable = true;
};

} // namespace spl::sema

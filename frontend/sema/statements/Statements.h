// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and blocks, and how control leaves them.
#pragma once

#include "frontend/sema/statements/BodyContext.h"

namespace spl::sema {

/// How control leaves a statement or a block.
enum class Completion : uint8_t {
  Continues, ///< control may reach the next statement
  Ends,      ///< control never reaches the next statement
  Unknown,   ///< a part could not be parsed, so nothing is reported
};

/// A checked statement.
struct CheckedStmt {
  const Stmt *stmt = nullptr; ///< null if it is not part of the program
  Completion completion = Completion::Continues;
  Block before = {}; ///< statements to be inserted before it
};

/// Checks a block in a scope of its own. `result` gets the statements that can be reached.
Completion checkBlock(BodyContext &context, syntax::Block block, Block &result);

} // namespace spl::sema

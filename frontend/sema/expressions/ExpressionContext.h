// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of checking expressions: of one body, or of one expression outside any body. Created on
// the stack by who checks it, and passed to every function that may need more than the Session.
// A function that needs one part of it only, such as the scopes, takes that part.
//
// All functions that check an expression return null once an error is reported in it. A caller that
// gets null stays silent and returns null, so that one error gives one message.
#pragma once

#include "frontend/sema/Session.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/ValueRanges.h"
#include "frontend/sema/lifetimes/AliasCheck.h"

namespace spl::sema {

struct ExpressionContext {
  ExpressionContext(Session &session, FunctionEntry &entry)
      : session(session), entry(entry), arena(session.arena), types(session.types),
        diagnostics(session.diagnostics) {}

  /// A node of the typed tree, in the program's arena.
  template <class Node> Node *make(Node node) { return session.make(std::move(node)); }

  Session &session;
  FunctionEntry &entry; ///< the function; without an item outside any function
  llvm::BumpPtrAllocator &arena;
  TypeContext &types;
  diag::Engine &diagnostics;

  Scopes scopes;           ///< Names.h: the locals that names mean
  NameReports nameReports; ///< Names.h: which names are still reported
  LiteralClasses literals; ///< LiteralTypes.h: what trees of literals hold
  SliceVals sliceVals;     ///< AliasCheck.h: what vals of slices were declared as
  ValueRanges ranges;      ///< ValueRanges.h: ranges of vals and loop variables
  unsigned callCount = 0;  ///< FunctionCalls.h: calls checked, with those in the defaults they use
};

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, structs and enums. They may refer to each other in any order, so each is checked at
// its first use.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Declares the constants, structs and enums of a file.
void declareTypes(Session &session, const syntax::File &file);
/// Checks the constants, structs and enums that nothing has used.
void completeTypes(Session &session);

/// Counts the levels of recursion of a definition for the duration of a scope. Checking recurses,
/// because a definition is checked while another one that needs it is being checked.
class NeededInside {
public:
  NeededInside(Session &session, const syntax::TypeExpr *type, const syntax::Expr *value);
  ~NeededInside();
  /// Returns whether the chain of definitions is too deep. Reports this once for all definitions.
  bool isTooDeep(const syntax::Identifier &name);

private:
  Session &session;
  unsigned outer;
};

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, structs and enums. They may name each other in any order, so each is checked at its
// first use.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Declares the constants, structs and enums of a file.
void declareTypes(Session &session, const syntax::File &file);
/// Checks the constants, structs and enums that nothing has used.
void completeTypes(Session &session);

/// Counts, for a scope, the levels of a definition. A definition that needs another one is checked
/// around it, which recurses.
class NeededInside {
public:
  NeededInside(Session &session, const syntax::TypeExpr *type, const syntax::Expr *value);
  ~NeededInside();
  /// Reports a chain of definitions that is too deep, once for all definitions.
  bool isTooDeep(const syntax::Identifier &name);

private:
  Session &session;
  unsigned outer;
};

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

const TypeExpr *parseType(Parser &parser);
/// Parses the type after the ':' of a declaration.
const TypeExpr *parseDeclaredType(Parser &parser);

} // namespace spl::syntax

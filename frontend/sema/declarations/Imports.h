// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports: names that a file uses from other files.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Adds to each file the names that it imports.
void resolveImports(Session &session, const syntax::FileSet &files);

} // namespace spl::sema

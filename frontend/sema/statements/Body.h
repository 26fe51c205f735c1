// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a function.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Checks the body of a function and stores it in the entry's Function, unless that is done.
/// Returns false if an error is reported in it, or if it is being checked, which is reported.
bool ensureBody(Session &session, FunctionEntry &entry);

} // namespace spl::sema

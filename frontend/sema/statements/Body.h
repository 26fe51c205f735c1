// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a function.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Checks the body of a function and stores it in the entry's Function.
void checkBody(Session &session, FunctionEntry &entry);

} // namespace spl::sema

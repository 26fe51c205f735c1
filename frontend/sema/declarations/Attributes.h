// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of a function.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Checks the attributes and sets the traits of the function.
void checkAttributes(Session &session, FunctionEntry &entry);

} // namespace spl::sema

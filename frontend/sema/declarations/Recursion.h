// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles of calls, which the language does not allow.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Reports every cycle of calls.
void checkRecursion(Session &session);

} // namespace spl::sema

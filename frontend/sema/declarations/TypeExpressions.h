// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as written in the source. Session::resolve resolves them.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Whether `name` is the name of a scalar or vector type.
bool isTypeName(StringRef name);

} // namespace spl::sema

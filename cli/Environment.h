// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment that `simple` is run in.
#pragma once

namespace spl::cli {

/// Warns of each variable whose name begins with SPL_ and is not in runtime/config/Environment.def,
/// with the nearest name that is. Nothing fails.
void warnOfUnknownVariables();

} // namespace spl::cli

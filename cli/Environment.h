// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the environment variables of `simple`.
#pragma once

namespace spl::cli {

/// Warns of each variable with the prefix SPL_ that is not in runtime/config/Environment.def, and
/// suggests a similar name. Does not fail.
void warnOfUnknownVariables();

} // namespace spl::cli

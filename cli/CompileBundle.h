// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for several targets at once, as a bundle.
#pragma once

#include "cli/CompileFlags.h"
#include <string>
#include <vector>

namespace spl::cli {

/// The bytes of a bundle (spl/Bundle.h) of \p file for \p targets, in their order. Diagnostics are
/// reported once, of the first target that has any. Throws Failure.
std::string compileBundle(const std::string &file, const std::vector<std::string> &targets,
                          const std::vector<std::string> &kernels, const CompileFlags &flags);

} // namespace spl::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles one file for several targets, as a bundle.
#pragma once

#include "cli/CompileFlags.h"
#include <string>
#include <vector>

namespace spl::cli {

/// Returns the bytes of a bundle (spl/Bundle.h) with an image of \p file for each of \p targets, in
/// their order. Reports only the diagnostics of the first target that has any. Throws Failure, also
/// if the bundle would replace one of the files that are read; \p output is its path.
std::string compileBundle(const std::string &file, const std::string &output,
                          const std::vector<std::string> &targets,
                          const std::vector<std::string> &kernels, const CompileFlags &flags);

} // namespace spl::cli

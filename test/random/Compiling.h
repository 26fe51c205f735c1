// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a compilation to a build of its target.
#pragma once

#include "driver/Compilation.h"
#include "test/random/Builds.h"

namespace spl::random {

std::unique_ptr<Build> makeCpuBuild(driver::Compilation &compilation);
std::unique_ptr<Build> makePtxBuild(driver::Compilation &compilation);

/// The errors of a compilation that failed.
std::string errorsOf(driver::Compilation &compilation);

} // namespace spl::random

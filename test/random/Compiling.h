// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates the build of each target from a compilation.
#pragma once

#include "driver/Compilation.h"
#include "spl/Error.h"
#include "test/random/Builds.h"

namespace spl::random {

std::unique_ptr<Build> makeCpuBuild(driver::Compilation &compilation);
std::unique_ptr<Build> makePtxBuild(driver::Compilation &compilation);

/// What the comparison knows of a fault.
ReportedFault reportedOf(const Fault &fault);

/// The errors of a failed compilation.
std::string errorsOf(driver::Compilation &compilation);

} // namespace spl::random

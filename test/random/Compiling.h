// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates the build of each target from a compilation.
#pragma once

#include "driver/Compilation.h"
#include "spl/Device.h"
#include "spl/Error.h"
#include "test/random/Builds.h"

namespace spl::random {

/// Runs on a backend of the runtime.
std::unique_ptr<Build> makeRuntimeBuild(driver::Compilation &compilation, Backend backend);
/// The target of the first CUDA device. Throws Error if there is none.
codegen::TargetSpec deviceTarget();
std::unique_ptr<Build> makePtxBuild(driver::Compilation &compilation);

/// What the comparison knows of a fault.
ReportedFault reportedOf(const Fault &fault);

/// The errors of a failed compilation.
std::string errorsOf(driver::Compilation &compilation);

} // namespace spl::random

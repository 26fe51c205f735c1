// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the builds of random programs.
#pragma once

#include "test/random/Comparison.h"

namespace spl::random {

/// The CPUs that programs are compiled for: the host, and the levels of x86-64 that it can run. The
/// first call prints the others.
const std::vector<std::string> &cpuTargets();

/// Draws one build for the CPU and one as PTX. Programs from the same seed get the same builds on
/// the same machine.
Plan planFor(std::uint64_t seed);

} // namespace spl::random

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces the program of a mismatch or of a crash: deletes statements and simplifies expressions as
// long as the build still differs from the interpreter.
#pragma once

#include "test/random/Comparison.h"

namespace spl::random {

/// The mismatch with its program, reduced, and the number of its lines.
std::string withReduced(const Mismatch &mismatch, int launches);

/// The program and the build for which compare() crashes in a separate process.
std::optional<Mismatch> findCrash(const std::vector<generator::Program> &programs,
                                  const Plan &plan);

} // namespace spl::random

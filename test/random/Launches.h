// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches for random programs: sizes, memory and numbers that suit what the parameters are for.
#pragma once

#include "test/generator/Generator.h"
#include "test/reference/Reference.h"

#include <random>

namespace spl::random {

/// One that the program may do well with; or, of those that may fault, one that is nasty.
reference::Launch makeLaunch(const generator::Program &program, std::mt19937_64 &random);

/// With memory of its own.
reference::Launch copyOf(const reference::Launch &launch);

std::string shown(const generator::Program &program, const reference::Launch &launch);

std::size_t elementBytes(const generator::Parameter &parameter);
inline bool isSlice(const generator::Parameter &parameter) {
  return parameter.role != generator::Role::Scalar;
}
inline bool isWritten(const generator::Parameter &parameter) {
  return isSlice(parameter) && parameter.role != generator::Role::Input;
}

} // namespace spl::random

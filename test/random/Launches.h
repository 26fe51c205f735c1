// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes launches for random programs, with sizes, memory and numbers that suit the roles of the
// parameters.
#pragma once

#include "test/generator/Generator.h"
#include "test/reference/Reference.h"

#include <random>

namespace spl::random {

/// A launch for \p program. For a program that may fault, some values are extreme.
reference::Launch makeLaunch(const generator::Program &program, std::mt19937_64 &random);

/// A copy with separate memory. Parameters that alias in the launch also do so in the copy.
reference::Launch copyOf(const reference::Launch &launch);

std::string shown(const generator::Program &program, const reference::Launch &launch);

/// The first parameter that has the memory of parameter \p k.
std::size_t ownerOf(const reference::Launch &launch, std::size_t k);

std::size_t elementBytes(const generator::Parameter &parameter);

/// A number in an element: a lane, a field, or the element itself.
struct Part {
  std::size_t offset; ///< in bytes
  generator::Type type;
};
/// The numbers in an element, without the padding of structs.
std::vector<Part> partsOf(const generator::Parameter &parameter);
inline bool isSlice(const generator::Parameter &parameter) {
  return parameter.role != generator::Role::Scalar;
}
inline bool isWritten(const generator::Parameter &parameter) {
  return isSlice(parameter) && parameter.role != generator::Role::Input;
}

} // namespace spl::random

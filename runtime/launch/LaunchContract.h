// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's launch contract: conditions on a launch's arguments and sizes. A launch that meets
// them runs the kernel without the checks that the compiler has lifted into the contract. Part of a
// signature; shared by its copies, never changed.
#ifndef SPL_RUNTIME_LAUNCH_LAUNCHCONTRACT_H
#define SPL_RUNTIME_LAUNCH_LAUNCHCONTRACT_H

#include "runtime/backends/BackendStream.h"
#include "spl/Signature.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spl::detail {

class SignatureReader;

class LaunchContract {
public:
  /// Reads the conditions that follow "unchecked if". Throws InvalidImage, as \p reader does.
  LaunchContract(SignatureReader &reader, const std::vector<Parameter> &parameters);

  /// Whether every condition holds, in exact arithmetic. A condition does not hold if a value does
  /// not fit in i64, if an unsigned argument is above the signed maximum of its type, and for a
  /// division of a negative number or by a number below 1. \p params are the ABI parameters of the
  /// launch. Allocates nothing.
  bool holds(std::span<void *const> params, const Geometry &geometry) const noexcept {
    return !firstUnmet(params, geometry);
  }
  /// The first condition that does not hold, or null.
  const std::string *firstUnmet(std::span<void *const> params,
                                const Geometry &geometry) const noexcept;

  /// The conditions in the syntax of signatures, with uniform spaces.
  const std::string &str() const { return text; }

private:
  class Parser;

  enum class Operation : std::uint8_t {
    Constant,  ///< of the operand's value
    Argument,  ///< the ABI parameter at the operand
    NumGroups, ///< along the axis that the operand is; so the next two
    LocalSize,
    GlobalSize,
    Negate,
    Add, ///< of two operands, as all that follow
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
    AtMost, ///< ends a condition: pops both operands; the contract fails unless first <= second
  };
  struct Step {
    Operation operation;
    ScalarType type = ScalarType::I64; ///< of an argument
    std::int64_t operand = 0;
  };

  // Limits, so that parsing ends and the evaluation fits a fixed stack.
  static constexpr int maxNesting = 64;
  static constexpr std::size_t maxSteps = 4096;
  /// Each level of nesting holds up to three values: of a min or max, a sum and a product.
  static constexpr std::size_t maxDepth = 3 * (maxNesting + 1) + 2;

  std::vector<Step> steps; ///< in postfix order
  std::string text;
  std::vector<std::string> conditions; ///< of text, each ended by an AtMost of steps
};

} // namespace spl::detail

#endif

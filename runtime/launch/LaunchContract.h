// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's launch contract: what must hold of a launch's arguments and sizes for the kernel
// without the checks that the compiler lifted into it. Part of a signature, which is shared by all
// copies and never changes.
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
  /// Reads the conditions that follow "unchecked if"; throws what \p reader does.
  LaunchContract(SignatureReader &reader, const std::vector<Parameter> &parameters);

  /// Whether every condition holds, in exact arithmetic; none does with a value that fits no i64,
  /// an unsigned argument above the signed maximum of its type, or a division of a negative number
  /// or by one below 1. \p params are the launch's by the kernel ABI. Allocates nothing.
  bool holds(std::span<void *const> params, const Geometry &geometry) const noexcept {
    return !firstUnmet(params, geometry);
  }
  /// The first condition that does not hold, or null.
  const std::string *firstUnmet(std::span<void *const> params,
                                const Geometry &geometry) const noexcept;

  /// The conditions as a signature has them, evenly spaced.
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
    AtMost, ///< ends a condition: nothing is left of it, or the contract does not hold
  };
  struct Step {
    Operation operation;
    ScalarType type = ScalarType::I64; ///< of an argument
    std::int64_t operand = 0;
  };

  // What a text may ask for, so that parsing it ends and a launch's test of it fits a stack.
  static constexpr int maxNesting = 64;
  static constexpr std::size_t maxSteps = 4096;
  /// Within each level wait the least or greatest so far, a sum and a product.
  static constexpr std::size_t maxDepth = 3 * (maxNesting + 1) + 2;

  std::vector<Step> steps; ///< in postfix order
  std::string text;
  std::vector<std::string> conditions; ///< of text, each ended by an AtMost of steps
};

} // namespace spl::detail

#endif

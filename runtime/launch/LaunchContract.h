// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluation of a kernel's launch contract: conditions on a launch's arguments and sizes. A
// launch that meets them runs the kernel without the checks that the compiler has lifted into the
// contract. Part of a signature; shared by its copies, never changed.
#ifndef SPL_RUNTIME_LAUNCH_LAUNCHCONTRACT_H
#define SPL_RUNTIME_LAUNCH_LAUNCHCONTRACT_H

#include "runtime/backends/BackendStream.h"
#include "spl/Launch.h"
#include "spl/Signature.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spl::detail {

class LaunchContract {
public:
  /// Of a signature that has a contract.
  explicit LaunchContract(const abi::Signature &signature);

  /// The version of the kernel that a launch runs (abi::Contract::Version). Conditions are
  /// evaluated in exact arithmetic. A condition does not hold if a value does not fit in i64, if an
  /// unsigned argument is above the signed maximum of its type, and for a division of a negative
  /// number or by a number below 1. \p params are the ABI parameters of the launch. Allocates
  /// nothing.
  std::size_t version(std::span<void *const> params, const Geometry &geometry) const noexcept;
  /// The first condition that does not hold, or null. As version, it allocates nothing.
  const std::string *firstUnmet(std::span<void *const> params,
                                const Geometry &geometry) const noexcept;

  /// The same, with the values of the launch and what would meet the condition. For people: it is
  /// slow.
  std::optional<UnmetContract> explain(std::span<void *const> params,
                                       const Geometry &geometry) const;

  /// The conditions in the syntax of signatures.
  const std::string &str() const { return text; }

private:
  /// A scalar argument, or a scalar in an argument.
  struct Scalar {
    std::size_t first;    ///< the parameter, among those of the kernel ABI
    std::uint32_t offset; ///< in the argument, in bytes
    ScalarType type;
  };
  struct Launch;
  class Search;

  /// Without those that change no value. The operand is an index into scalars or, for an extent,
  /// the parameter of the kernel ABI.
  abi::Contract contract;
  std::vector<std::string> names; ///< of the steps that load a value; empty for the others
  std::vector<Scalar> scalars;
  std::string text;
  std::vector<std::string> conditions; ///< of text, each ended by an AtMost of steps
};

} // namespace spl::detail

#endif

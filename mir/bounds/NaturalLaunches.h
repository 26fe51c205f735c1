// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of a kernel that somebody might make. A condition that none of them meets, together with
// the other conditions of the launch contract, is not worth a second kernel.
#pragma once

#include "spl/abi/Signature.h"
#include <cstdint>

namespace spl::mir::bounds {

/// A fixed set of launches for each signature: slices of equal and of related lengths, scalar
/// arguments that are sizes, their neighbours or powers of two, and work-items for each element,
/// rounded up to whole groups or not.
class NaturalLaunches {
public:
  /// Keeps a reference to \p signature.
  explicit NaturalLaunches(const abi::Signature &signature) : signature(signature) {}

  /// Whether one of the launches meets all conditions.
  bool canMeet(const abi::Contract &contract);

private:
  const abi::Signature &signature;
  uint32_t last = 0; ///< the launch that met the last contract; it often meets the next one
};

} // namespace spl::mir::bounds

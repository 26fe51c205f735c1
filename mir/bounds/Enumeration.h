// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves conditions by running them for each iteration of the enclosing loops, and for each
// work-item of the group if its size is fixed, else for each lane of a warp. It follows what
// polynomials do not express, such as strides that double or halve, masks and remainders.
#pragma once

#include "mir/dialect/SplDialect.h"

namespace spl::mir::bounds {

/// The proofs for one kernel, which must outlive this object.
class Enumeration {
public:
  explicit Enumeration(KernelOp kernel) : kernel(kernel) {}

  /// Whether the condition has this truth value whenever \p at runs. What is not a number that the
  /// kernel's text determines, such as a value from memory, an argument or a group id, may have any
  /// value. Returns false as well if that takes too many steps.
  bool proves(mlir::Operation *at, mlir::Value condition, bool truth);

private:
  KernelOp kernel;
  int64_t steps = 1 << 21; ///< that are left for all proofs of the kernel
};

} // namespace spl::mir::bounds

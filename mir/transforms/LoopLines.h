// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values in a loop's body that are lines in the loop's variable.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace spl::mir {

/// factor * variable + offset, in arithmetic that wraps.
struct Line {
  mlir::Value factor, offset;
};

/// The value as a line, or std::nullopt if it is not one. Emits the factor and the offset.
std::optional<Line> lineOf(mlir::Value value, mlir::scf::ForOp loop, mlir::OpBuilder &builder,
                           unsigned depth = 0);

/// Whether the value is the loop's variable, plus or minus values from before the loop.
bool movesWithVariable(mlir::Value value, mlir::scf::ForOp loop);

} // namespace spl::mir

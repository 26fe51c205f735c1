// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of an integer that is loaded from a parameter or from a constant array.
#pragma once

#include "mir/bounds/Symbols.h"

namespace spl::mir::bounds {

/// A part of a parameter that is passed by value.
struct ParameterPart {
  mlir::BlockArgument parameter;
  llvm::SmallVector<int64_t> path; ///< numbers of fields, elements and lanes
};

/// The part that the value is loaded from, or is a lane of.
std::optional<ParameterPart> parameterPart(mlir::Value value);

/// The least and the greatest number that the value can be, if it is loaded from a constant array.
std::optional<Range> rangeOfConstants(mlir::Value value);

} // namespace spl::mir::bounds

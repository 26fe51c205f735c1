// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that are linear in most gangs: extensions of linear integers, which may wrap, and
// quotients and remainders of linear integers, as in `i / width` and `(x + 1) % width`. A test of
// scalars finds the gangs in which they are. These access adjacent elements where the others
// gather and scatter.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// Remembers in the gang that the result is nearly linear, if it is the quotient or remainder of a
/// linear integer and a uniform one. Emits the test.
void noteDivision(Gang &gang, mlir::Operation *op);

/// A test of an access to a uniform slice, and its indices in lane 0.
struct AdjacencyTest {
  mlir::Value holds; ///< whether the lanes access adjacent elements; never null
  Values first;      ///< uniform indices, and others, which are those of lane 0 if the test holds
};

/// Emits the test for indices that are linear or nearly linear, and not all linear. Returns nothing
/// for others.
std::optional<AdjacencyTest> testScalars(Gang &gang, mlir::ValueRange indices, mlir::Type element);

} // namespace spl::mir

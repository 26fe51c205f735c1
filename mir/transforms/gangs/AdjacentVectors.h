// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of vectors of the language that are side by side, as a[i] of f32x2 numbers. All
// are moved at once, and shuffled: gathers and scatters of single components take many times as
// long.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// Whether the access is of such vectors, and all lanes are active. Vectors of bool have another
/// layout in memory.
bool isOfAdjacentVectors(const Gang &gang, mlir::Value slice, mlir::ValueRange indices,
                         mlir::Type element);
/// The components of the vectors.
Values loadVectors(Gang &gang, LoadOp load);
/// Stores the components of the vectors.
void storeVectors(Gang &gang, StoreOp store, const Values &components);

} // namespace spl::mir

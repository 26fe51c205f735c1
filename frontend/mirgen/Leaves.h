// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of types that hold slices. Such a value is its leaves (sema/Leaves.h): slices, scalars and
// vectors are SSA values, and other structs and arrays are in memory. No memory has slices in it.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

using LeafValues = llvm::SmallVector<mlir::Value, 4>;

/// The leaves of a value. A value without slices is its only leaf. A leaf in memory is a read-only
/// slice of one element that does not change as long as the result is used.
LeafValues emitLeaves(FunctionContext &fn, const sema::Expr &expr);
/// Declares a local that holds slices, with this value.
void declareLeaves(FunctionContext &fn, const sema::Local &local, const sema::Expr &value);
/// Assigns a value that holds slices.
void assignLeaves(FunctionContext &fn, const sema::Expr &place, const sema::Expr &value);

/// Whether the expression is a part of a value that holds slices, and holds none itself.
bool isLeaf(const sema::Expr &expr);
/// The place of a leaf. If the value has no name, the place is in memory.
Place emitLeafPlace(FunctionContext &fn, const sema::Expr &expr);
/// The value of a leaf that is not in memory.
mlir::Value emitLeaf(FunctionContext &fn, const sema::Expr &expr);

} // namespace spl::mirgen

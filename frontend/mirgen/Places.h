// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places: evaluation of their operands, reads and writes, subslices and lanes.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

/// Evaluates the operands of a place. The value of an expression that is no place is written to
/// memory of its own, which is the place.
Place emitPlace(FunctionContext &fn, const sema::Expr &expr);
/// The place of the one element of a slice.
Place wholeOf(FunctionContext &fn, mlir::Value slice, mlir::Location location);
mlir::Value read(FunctionContext &fn, const Place &place, mlir::Location location);
void write(FunctionContext &fn, mlir::Value value, const Place &place, mlir::Location location);
void copy(FunctionContext &fn, const Place &from, const Place &to, mlir::Location location);
/// A slice of the field of the struct at the place, of the elements of the array or vector there,
/// or of what is there, if that is the type of the element.
mlir::Value openPlace(FunctionContext &fn, const Place &place, std::optional<unsigned> field,
                      mlir::Type element, mlir::Location location);

/// The slice of the elements of an array or a slice.
mlir::Value emitElements(FunctionContext &fn, const sema::Expr &base);
mlir::Value emitIndexValue(FunctionContext &fn, const sema::Expr &index);
mlir::Value emitRow(FunctionContext &fn, const sema::IndexExpr &expr);
mlir::Value emitSubslice(FunctionContext &fn, const sema::SubsliceExpr &expr);
mlir::Value emitReference(FunctionContext &fn, const sema::ReferenceExpr &expr);
mlir::Value emitLane(FunctionContext &fn, const sema::LaneExpr &expr);
mlir::Value readOnly(FunctionContext &fn, mlir::Value slice, mlir::Location location);

/// Returns the value with the number `selector`, an i64. If there is none, returns the first one.
mlir::Value select(FunctionContext &fn, mlir::Value selector, llvm::ArrayRef<mlir::Value> values,
                   mlir::Location location);

/// The name by which the source calls a slice or an array, as in "grid.cells"; null where it is
/// computed.
mlir::StringAttr nameOf(const sema::Expr &base, mlir::Builder &builder);
/// Notes at an access what the message of a fault there names: what the indices go into, or null,
/// and the positions of the indices that are u64.
void annotate(mlir::Operation *access, mlir::StringAttr name,
              llvm::ArrayRef<int64_t> unsignedIndices);
/// Whether i64 does not hold all values of the index.
bool isUnsigned(const sema::Expr &index);

} // namespace spl::mirgen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs, tuples and arrays, which are in memory, and vectors, which are SSA values.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

/// Allocates memory for one local of the type, and returns it as a slice with one element. \p name
/// is that of the variable in the source. It is empty for memory that the compiler adds.
mlir::Value emitLocal(FunctionContext &fn, sema::Type type, mlir::Location location,
                      llvm::StringRef name = "");
/// Writes the value of the expression to a place. The expression must not read from that place.
void emitInto(FunctionContext &fn, const sema::Expr &expr, const Place &to);
mlir::Value emitVector(FunctionContext &fn, const sema::BuildExpr &expr);
/// The numbers of the parts in the order in which they are evaluated.
llvm::SmallVector<unsigned> evaluationOrder(const sema::BuildExpr &expr);
mlir::Value emitArgument(FunctionContext &fn, const sema::Expr &expr);
mlir::Attribute constantAttribute(FunctionContext &fn, const sema::Expr &expr);

} // namespace spl::mirgen

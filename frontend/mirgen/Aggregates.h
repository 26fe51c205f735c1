// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs, tuples, arrays, and vectors. Structs, tuples and arrays are kept in memory.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

/// Memory for a local of the type: a slice of one element.
mlir::Value emitLocal(FunctionContext &fn, sema::Type type, mlir::Location location);
/// Writes the value of the expression to the place, which must not overlap what the expression
/// reads.
void emitInto(FunctionContext &fn, const sema::Expr &expr, const Place &to);
mlir::Value emitVector(FunctionContext &fn, const sema::BuildExpr &expr);
mlir::Value emitArgument(FunctionContext &fn, const sema::Expr &expr);
mlir::Attribute constantAttribute(FunctionContext &fn, const sema::Expr &expr);

} // namespace spl::mirgen

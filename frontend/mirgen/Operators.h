// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on numbers and casts, with the checks that they need.
#pragma once

#include "frontend/mirgen/FunctionContext.h"
#include "mir/dialect/SplDialect.h"

namespace spl::mirgen {

mlir::Value emitUnary(FunctionContext &fn, const sema::UnaryExpr &expr);
mlir::Value emitBinary(FunctionContext &fn, const sema::BinaryExpr &expr);
mlir::Value emitFma(FunctionContext &fn, const sema::FmaExpr &expr);
mlir::Value emitCast(FunctionContext &fn, const sema::CastExpr &expr);

mlir::Value emitCompare(FunctionContext &fn, syntax::BinaryOp op, sema::Type type,
                        mlir::Location location, mlir::Value lhs, mlir::Value rhs);
mlir::Value emitIntegerOp(FunctionContext &fn, syntax::BinaryOp op, bool isSigned,
                          mlir::Location location, mlir::Value lhs, mlir::Value rhs);
mlir::Value emitShift(FunctionContext &fn, syntax::BinaryOp op, bool isSigned,
                      mlir::Location location, mlir::Value lhs, mlir::Value count);
mlir::Value emitIntegerCast(FunctionContext &fn, mlir::Value value, bool isSigned, mlir::Type to,
                            mlir::Location location);

/// A check of the condition, unless the function is #[unchecked].
void emitCheck(FunctionContext &fn, mlir::Value condition, mir::FaultKind kind,
               mlir::ValueRange details, mlir::Location location, mlir::StringAttr subject = {},
               bool isUnsigned = false);

} // namespace spl::mirgen

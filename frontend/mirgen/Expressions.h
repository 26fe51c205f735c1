// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, calls, and expressions with conditions.
#pragma once

#include "frontend/mirgen/FunctionContext.h"
#include "mir/dialect/SplDialect.h"

namespace spl::mirgen {

mlir::Value emitExpr(FunctionContext &fn, const sema::Expr &expr);
mir::IntrinsicOp emitIntrinsic(FunctionContext &fn, const sema::IntrinsicExpr &expr);
/// Emits the operation of a call whose arguments are these values.
mir::IntrinsicOp createIntrinsic(FunctionContext &fn, const sema::IntrinsicExpr &expr,
                                 mlir::ValueRange operands, mlir::TypeRange results);
/// into: where a struct, tuple or array that the function returns is written, else null.
mlir::Value emitCall(FunctionContext &fn, const sema::CallExpr &expr, mlir::Value into = {});

mlir::Value emitLogical(FunctionContext &fn, const sema::LogicalExpr &expr);
mlir::Value emitCompareChain(FunctionContext &fn, const sema::CompareChainExpr &expr);
mlir::Value emitConditional(FunctionContext &fn, const sema::ConditionalExpr &expr);
/// The opposite of a condition.
mlir::Value emitNegated(FunctionContext &fn, const sema::Expr &condition);
/// An scf.if with results; each function emits an arm and returns what the arm yields.
using Arms = llvm::function_ref<llvm::SmallVector<mlir::Value, 2>()>;
mlir::ResultRange emitChoice(FunctionContext &fn, mlir::Location location, mlir::Value condition,
                             mlir::TypeRange types, Arms then, Arms other);
/// Whether an expression can be evaluated where its value is not needed: it has few operations,
/// does not access memory and cannot fault.
bool isCheap(const sema::Expr &expr);

} // namespace spl::mirgen

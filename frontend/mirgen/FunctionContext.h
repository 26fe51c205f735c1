// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known while the body of one function is built. SSA comes directly: the environment holds
// the value of each local, and what a region changes becomes a result of its operation. Lives for
// one function; refers to the module and the typed tree.
#pragma once

#include "frontend/mirgen/ControlState.h"
#include "frontend/mirgen/Environment.h"
#include "frontend/mirgen/ModuleGen.h"
#include "frontend/mirgen/Place.h"
#include "frontend/sema/Program.h"

namespace spl::mirgen {

struct FunctionContext {
  FunctionContext(ModuleGen &module, const sema::Function &function);

  mlir::Location locationOf(const sema::Expr &expr) { return module.location(expr.range); }
  mlir::Location locationOf(const sema::Stmt &stmt) { return module.location(stmt.range); }
  /// A constant of an integer type, or of a vector of integers with all lanes equal.
  mlir::Value integer(mlir::Type type, int64_t value, mlir::Location location);
  mlir::Value boolean(bool value, mlir::Location location) {
    return integer(builder.getI1Type(), value, location);
  }
  /// A value for paths on which it is not read.
  mlir::Value noValue(mlir::Type type, mlir::Location location);
  /// Whether the text of the function has neither checks nor assertions.
  bool isUnchecked() const {
    return function.traits.isUnchecked && !module.checks.ofUncheckedFunctions;
  }
  /// Whether the function returns a value. What memory keeps is returned through its last
  /// parameter.
  bool returnsValue() const { return !function.result.isUnit() && !function.result.isAggregate(); }

  ModuleGen &module;
  mlir::OpBuilder &builder;
  const sema::Function &function;
  const FunctionFacts facts;
  Environment env;

  // Control flow: ControlFlow.h, Loops.h.
  ControlState control;
  const LoopFacts *loop = nullptr; ///< the innermost loop around the statement
  unsigned guardDepth = 0;         ///< regions around the statement that exist because of exits

  // Memory: Places.h, Memory.h.
  Place assigned;            ///< the place of the compound assignment that is being emitted
  mlir::Value result;        ///< where a struct, tuple or array is returned, or null
  unsigned sharedArrays = 0; ///< shared arrays of the function so far
};

} // namespace spl::mirgen

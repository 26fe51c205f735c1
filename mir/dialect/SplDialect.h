// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spl dialect's C++ interface: types, attributes and operations of SplOps.td.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spl::intrinsics {
struct Row;
}

namespace spl::mir {
/// What a failing check touches: nothing that loads and stores see.
struct FaultResource : mlir::SideEffects::Resource::Base<FaultResource> {
  mlir::StringRef getName() final { return "spl.fault"; }
};

/// What operations of a warp or group touch, so that none is moved, merged or dropped.
struct ConvergenceResource : mlir::SideEffects::Resource::Base<ConvergenceResource> {
  mlir::StringRef getName() final { return "spl.convergence"; }
};

/// Whether the type is a scalar of the language: i1, i8 to i64, f16, bf16, f32 or f64.
bool isScalar(mlir::Type type);
/// Whether it is a scalar or a vector of 2, 4, 8 or 16 of them: what an SSA value can be.
bool isPlain(mlir::Type type);
/// Whether memory can hold it: plain, or a struct or an array of such.
bool isStorable(mlir::Type type);
} // namespace spl::mir

#include "mir/dialect/SplDialect.h.inc"
#include "mir/dialect/SplEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mir/dialect/SplAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mir/dialect/SplTypes.h.inc"
#define GET_OP_CLASSES
#include "mir/dialect/SplOps.h.inc"

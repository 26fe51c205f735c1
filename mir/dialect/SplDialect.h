// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ interface of the spl dialect: its types, attributes and operations (SplTypes.td,
// SplOps.td).
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
#include "spl/abi/FaultKind.h"
#include "spl/abi/Signature.h"
#include "llvm/ADT/Hashing.h"

namespace spl::intrinsics {
struct Row;
}

namespace spl::abi {
/// The hash of a signature. MLIR uses it to find the attribute that already holds an equal one.
llvm::hash_code hash_value(const Signature &signature);
} // namespace spl::abi

namespace spl::mir {
using spl::FaultKind;

/// The resource of faults. A check affects it, but no memory that loads and stores access.
struct FaultResource : mlir::SideEffects::Resource::Base<FaultResource> {
  mlir::StringRef getName() final { return "spl.fault"; }
};

/// The resource of collectives, so that no pass moves, merges or removes one.
struct ConvergenceResource : mlir::SideEffects::Resource::Base<ConvergenceResource> {
  mlir::StringRef getName() final { return "spl.convergence"; }
};

/// Whether the type is a scalar of the language: i1, i8 to i64, f16, bf16, f32 or f64.
bool isScalar(mlir::Type type);
/// Numbers of lanes that only the values of several work-items side by side have (spl-gang-loops).
inline constexpr int widestGangs[] = {32, 64, 128};
/// Whether the type is a scalar, or a vector of 2, 4, 8 or 16 scalars, or of one of widestGangs.
/// SSA values have such types.
bool isPlain(mlir::Type type);
/// Whether memory can hold the type: a scalar, a vector of 2, 4, 8 or 16 scalars, or a struct or an
/// array of storable types.
bool isStorable(mlir::Type type);
/// The extent of a slice along an axis, if its operation fixes it. It does for shared memory,
/// locals, constants, and the parts of an element.
std::optional<int64_t> fixedExtent(mlir::Value slice, unsigned axis);

/// The name of a kernel or a function as users write it: "scale[f32]" of scale__f32.
llvm::StringRef writtenName(mlir::FunctionOpInterface function);

} // namespace spl::mir

#include "mir/dialect/SplDialect.h.inc"
#include "mir/dialect/SplEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mir/dialect/SplAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mir/dialect/SplTypes.h.inc"
#define GET_OP_CLASSES
#include "mir/dialect/SplOps.h.inc"

namespace spl::mir {

/// The name of the function that is called, as users write it.
llvm::StringRef writtenCallee(CallOp call);

} // namespace spl::mir

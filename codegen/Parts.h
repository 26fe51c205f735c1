// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a module of MIR into parts that are independent of each other, so that several threads can
// work on them: first for the passes of MIR after inlining, and then for lowering and compiling.
// What the code of the parts must agree on is decided before the second split (prepareModule in
// lower/LowerToLlvm.h).
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <string>
#include <vector>

namespace spl::codegen {

/// Of a kernel: it may be compiled later, because launches seldom run it. The value is the symbol
/// that the program looks up then. LlvmBackend::prepare sets it.
constexpr llvm::StringLiteral laterAttr = "spl.later";

/// The least size of a part, in operations: about those of one kernel.
constexpr size_t leastPart = 250;

/// Calls \p visit for the operations in each of the \p definitions, those of one definition in
/// their order, on several threads. \p visit must not share what it changes for two definitions,
/// and must not use the context.
void walkInParallel(llvm::ArrayRef<mlir::Operation *> definitions,
                    llvm::function_ref<void(size_t number, mlir::Operation *op)> visit);

struct Part {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  size_t operations = 0; ///< in the module
  std::string later;     ///< the value of laterAttr for a part that can be compiled later, or ""
};

/// Moves the kernels and functions of a module into parts, and leaves the module empty. Does not
/// fail. The parts depend on the module alone, and their order is that of their first kernels or
/// functions.
/// - A function is in the part of the kernels that call it.
/// - Kernels that use the same constant data are in one part, so that one copy of it is in the
///   code.
/// - With \p hasLater, a kernel with laterAttr and the functions that it calls are a part of their
///   own, unless it shares a function or constant data with another kernel.
/// - Each other part has at least \p operations operations, and at least 1/128 of those of the
///   module, except for the last one: each part takes time, and so many are enough for all threads.
std::vector<Part> splitModule(mlir::ModuleOp module, size_t operations, bool hasLater);

/// The numbers of the parts, the largest part first, so that no thread begins one when the others
/// have no work left.
std::vector<size_t> largestFirst(llvm::ArrayRef<Part> parts);

} // namespace spl::codegen

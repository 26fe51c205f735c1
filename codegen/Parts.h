// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a module into parts that LLVM can compile independently, each on a thread of its own.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <string>
#include <vector>

namespace spl::codegen {

/// Of a definition in the LLVM dialect: each part that uses it gets a copy. It is constant, a small
/// function, or memory of which each kernel has its own, and its linkage is internal or private.
constexpr llvm::StringLiteral copiedAttr = "spl.copied";

/// Of a function in the LLVM dialect: it may be compiled later, because launches seldom run it. The
/// value is the symbol that the program looks up then.
constexpr llvm::StringLiteral laterAttr = "spl.later";

struct Part {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string later; ///< the value of laterAttr for a part that can be compiled later, or ""
};

/// Moves the content of a module in the LLVM dialect into parts, and leaves the module empty. Does
/// not fail. The parts depend on the module alone, and their order is that of their first
/// functions.
/// - Definitions that use the same definition, such as a function or a shared array, are in one
/// part.
/// - Declarations, and definitions with copiedAttr, are copied to each part that uses them.
/// - With \p hasLater, a function with laterAttr and all that it uses are a part of their own,
///   unless another exported function uses some of the same definitions.
/// - Each other part has at least \p operations operations, except for the last one.
std::vector<Part> splitModule(mlir::ModuleOp module, size_t operations, bool hasLater);

} // namespace spl::codegen

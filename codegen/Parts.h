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

/// Of a definition in the LLVM dialect: each part that uses it gets a copy. It is constant, or a
/// small function, and its linkage is internal or private.
constexpr llvm::StringLiteral copiedAttr = "spl.copied";

/// Of a function in the LLVM dialect: code that is compiled later may contain it. The value is the
/// symbol that the program looks up then.
constexpr llvm::StringLiteral laterAttr = "spl.later";

struct Part {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string later; ///< the value of laterAttr for a part that can be compiled later, or ""
};

/// Moves the content of a module in the LLVM dialect into parts. A part has at least \p operations
/// operations, except for the last one and for a module that has fewer. Definitions that use the
/// same definition, such as a function or a shared array, are in one part. Declarations are copied
/// to each part that uses them. The parts depend on the module alone, and their order is that of
/// their first functions. With \p hasLater, each function with laterAttr is a part of its own, with
/// those that only it uses together. If other functions use the same definitions, it is in a part
/// with them.
std::vector<Part> splitModule(mlir::ModuleOp module, size_t operations, bool hasLater);

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints, written out: LLVM has no instructions for them.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// hint is the value of the attribute spl.cache; type what memory holds.
mlir::Value emitHintedLoad(mlir::Location loc, mlir::Type type, mlir::Value address,
                           llvm::StringRef hint, mlir::OpBuilder &builder);
void emitHintedStore(mlir::Location loc, mlir::Value value, mlir::Value address,
                     llvm::StringRef hint, mlir::OpBuilder &builder);

} // namespace spl::codegen

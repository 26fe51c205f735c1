// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits loads and stores with cache hints as inline PTX, because LLVM has no instructions for them.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// Emits an access with a cache hint. \p hint is the value of the attribute spl.cache. \p type is
/// the type in memory.
mlir::Value emitHintedLoad(mlir::Location loc, mlir::Type type, mlir::Value address,
                           llvm::StringRef hint, mlir::OpBuilder &builder);
void emitHintedStore(mlir::Location loc, mlir::Value value, mlir::Value address,
                     llvm::StringRef hint, mlir::OpBuilder &builder);

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialects of MIR: spl, arith, math, scf, vector, and ub for values that no path uses. The
// context owns them. The functions do not fail.
#pragma once

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace spl::mir {

/// For contexts that load dialects on demand, such as that of simple-opt.
void registerDialects(mlir::DialectRegistry &registry);
/// For contexts in which operations are created, because their dialects must be loaded.
void loadDialects(mlir::MLIRContext &context);

} // namespace spl::mir

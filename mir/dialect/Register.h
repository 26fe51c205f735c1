// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialects that MIR is written in: spl, arith, math, scf, and ub for values that no path looks
// at. The context owns them; neither function fails.
#pragma once

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace spl::mir {

/// For contexts that load dialects as they meet them, such as simple-opt's.
void registerDialects(mlir::DialectRegistry &registry);
/// For a context in which MIR is built: creating an operation needs its dialect loaded.
void loadDialects(mlir::MLIRContext &context);

} // namespace spl::mir

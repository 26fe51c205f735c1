// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the typed Program to MIR: a module of spl.kernel and spl.func in structured SSA form, every
// operation at the place of its source expression. The caller owns the module; it keeps nothing of
// the Program. Cannot fail for a Program that sema gave out.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spl::diag {
class SourceManager;
}
namespace spl::sema {
struct Program;
}

namespace spl::mirgen {

/// Loads the dialects that it needs into the context. Without asserts those are not evaluated.
mlir::OwningOpRef<mlir::ModuleOp> generate(const sema::Program &program,
                                           const diag::SourceManager &sources, bool asserts,
                                           mlir::MLIRContext &context);

} // namespace spl::mirgen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the typed Program to MIR: a module of spl.kernel and spl.func in structured SSA form. Each
// operation has the location of its source expression. The caller owns the module, which does not
// refer to the Program. Cannot fail for a Program that sema returned.
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

/// The checks that the MIR has.
struct Checks {
  bool asserts = true;               ///< whether the conditions of assert are evaluated
  bool ofUncheckedFunctions = false; ///< whether functions with #[unchecked] have checks too
};

/// Loads the dialects that it needs into the context.
mlir::OwningOpRef<mlir::ModuleOp> generate(const sema::Program &program,
                                           const diag::SourceManager &sources, const Checks &checks,
                                           mlir::MLIRContext &context);

} // namespace spl::mirgen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of docs/ that are generated from tables. `ninja docs` writes them. A test compares
// them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace spl::docgen {

/// docs/intrinsics.md, from intrinsics/Intrinsics.def.
void writeIntrinsics(llvm::raw_ostream &os);
/// docs/diagnostics.md, from frontend/diag/*.def and the tables of faults, findings and errors of
/// the runtime, with examples from the tests in the folder \p tests. If a diagnostic has no
/// example, prints an error and returns false.
bool writeDiagnostics(llvm::StringRef tests, llvm::raw_ostream &os);
/// docs/math.md, from intrinsics/Measured.def.
void writeMath(llvm::raw_ostream &os);
/// docs/targets.md, from the registry of targets.
void writeTargets(llvm::raw_ostream &os);

} // namespace spl::docgen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's command-line options that this compiler changes. CONTRIBUTING.md says why, and what the
// change costs. The options are global variables of LLVM. If a program shares libLLVM with this
// compiler, the change affects the program's own use of LLVM as well.
#pragma once

namespace spl::codegen {

/// The first call sets the options. Several threads may call it at once. Does not change an option
/// that the program has set with llvm::cl::ParseCommandLineOptions. Ignores options that this LLVM
/// does not have.
void setLlvmOptions();

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's command-line options that this compiler changes. CONTRIBUTING.md says why, and what that
// costs. They are global variables of LLVM: they hold as well for whatever else a program does with
// the LLVM that it shares with this compiler.
#pragma once

namespace spl::codegen {

/// Sets them, at the first call; safe from several threads. An option that the program has given a
/// value by llvm::cl::ParseCommandLineOptions keeps it, and one that this LLVM does not have is
/// left out.
void setLlvmOptions();

} // namespace spl::codegen

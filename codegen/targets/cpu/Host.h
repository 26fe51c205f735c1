// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine that the compiler runs on, and LLVM's names of CPUs of its architecture.
#pragma once

#include "codegen/Machine.h"

namespace spl::codegen {

/// Makes LLVM's back end for the host known to machineFor; safe from several threads.
void registerHostBackend();
/// Whether LLVM knows a CPU of that name for the host's architecture.
bool isHostArchCpu(llvm::StringRef name);
/// Whether that CPU with those features has the feature named.
bool hasFeature(const MachineKey &key, llvm::StringRef feature);
/// The host's CPU and its features, as LLVM names them; asked once.
llvm::StringRef hostCpu();
llvm::StringRef hostFeatures();
/// The triple that processes on this machine run as.
std::string hostTriple();

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine that the compiler runs on, and LLVM's names for the CPUs of its architecture.
#pragma once

#include "codegen/Machine.h"

namespace spl::codegen {

/// Registers LLVM's back end for the host, which machineFor needs. Several threads may call it at
/// once.
void registerHostBackend();
/// Whether LLVM knows a CPU with this name for the host's architecture.
bool isHostArchCpu(llvm::StringRef name);
/// Whether the machine has the feature.
bool hasFeature(const MachineKey &key, llvm::StringRef feature);
/// LLVM's names of the host's CPU and of its features. The first call detects them.
llvm::StringRef hostCpu();
llvm::StringRef hostFeatures();
/// LLVM's triple for processes on this machine.
std::string hostTriple();

} // namespace spl::codegen

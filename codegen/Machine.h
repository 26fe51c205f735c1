// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's target machines. Making one costs more than compiling a small kernel, so each thread keeps
// those it has used until it ends; a machine is never shared between threads.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace spl::codegen {

struct MachineKey {
  std::string triple;
  std::string cpu;
  std::string features;
  unsigned optLevel;
};

/// Fails where this LLVM was built without the target.
llvm::Expected<llvm::TargetMachine *> machineFor(const MachineKey &key);

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's target machines. Creating one takes longer than compiling a small kernel. Therefore each
// thread keeps its machines until it ends. Threads never share a machine.
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

/// The machine for the key, which the calling thread owns. The target must have registered its LLVM
/// back end. Fails if LLVM was built without that back end.
llvm::Expected<llvm::TargetMachine *> machineFor(const MachineKey &key);

} // namespace spl::codegen

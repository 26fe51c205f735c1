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

/// The machine for the key. The target has registered its LLVM back end before. Fails where this
/// LLVM was built without it.
llvm::Expected<llvm::TargetMachine *> machineFor(const MachineKey &key);

} // namespace spl::codegen

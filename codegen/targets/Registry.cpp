// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of targets.
#include "codegen/Target.h"

namespace spl::codegen {

#define TARGET(Name)                                                                               \
  namespace Name {                                                                                 \
  const Target &target();                                                                          \
  }
#include "codegen/targets/Targets.def"

llvm::ArrayRef<const Target *> allTargets() {
  static const Target *const targets[] = {
#define TARGET(Name) &Name::target(),
#include "codegen/targets/Targets.def"
  };
  return targets;
}

} // namespace spl::codegen

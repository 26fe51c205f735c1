// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of targets (Targets.def).
#include "codegen/Target.h"

#ifdef SPL_TEST_TARGETS
#define ROWS_OF_TESTS(Row) Row
#else
#define ROWS_OF_TESTS(Row)
#endif

namespace spl::codegen {

#define TARGET(Name)                                                                               \
  namespace Name {                                                                                 \
  const Target &target();                                                                          \
  }
#define TEST_TARGET(Name) ROWS_OF_TESTS(TARGET(Name))
#include "codegen/targets/Targets.def"

llvm::ArrayRef<const Target *> allTargets() {
  static const Target *const targets[] = {
#define TARGET(Name) &Name::target(),
#define TEST_TARGET(Name) ROWS_OF_TESTS(TARGET(Name))
#include "codegen/targets/Targets.def"
  };
  return targets;
}

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/UnneededPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace spl::codegen {

void skipUnneededPasses(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, const Any &) {
    constexpr StringLiteral unneeded[] = {"CGProfilePass", "CalledValuePropagationPass",
                                          "MemProfRemoveInfo", "OpenMPOptCGSCCPass",
                                          "OpenMPOptPass"};
    return !is_contained(unneeded, pass);
  });
}

} // namespace spl::codegen

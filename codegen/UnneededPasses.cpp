// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/UnneededPasses.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace spl::codegen {

void skipUnneededPasses(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, const Any &) {
    static const StringSet<> unneeded = {"CGProfilePass", "CalledValuePropagationPass",
                                         "MemProfRemoveInfo", "OpenMPOptCGSCCPass",
                                         "OpenMPOptPass"};
    return !unneeded.contains(pass);
  });
}

} // namespace spl::codegen

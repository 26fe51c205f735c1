// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/LlvmOptions.h"
#include "llvm/Support/CommandLine.h"
#include <mutex>

namespace spl::codegen {
namespace {

void turnOff(llvm::StringRef name) {
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
  if (option && option->getNumOccurrences() == 0)
    static_cast<llvm::cl::opt<bool> *>(option)->setValue(false);
}

} // namespace

void setLlvmOptions() {
  static std::once_flag once;
  std::call_once(once, [] {
    // With this option the SLP vectoriser applies an operation to lanes that do not have it.
    turnOff("slp-copyable-elements");
  });
}

} // namespace spl::codegen

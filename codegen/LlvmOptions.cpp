// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/LlvmOptions.h"
#include "llvm/Support/CommandLine.h"
#include <mutex>

namespace spl::codegen {
namespace {

/// Sets an option of LLVM, unless the program's user has set it.
template <typename T> void set(llvm::StringRef name, T value) {
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
  if (option && option->getNumOccurrences() == 0)
    static_cast<llvm::cl::opt<T> *>(option)->setValue(value);
}

} // namespace

void setLlvmOptions() {
  static std::once_flag once;
  std::call_once(once, [] {
    // With this option the SLP vectoriser applies an operation to lanes that do not have it.
    set("slp-copyable-elements", false);
    // LLVM computes sums of powers in more than 64 bits. For a wider division, it would call a
    // function of the compiler's library, which a loaded module does not have.
    set("expand-div-rem-bits", 64u);
  });
}

} // namespace spl::codegen

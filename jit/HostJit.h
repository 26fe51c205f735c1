// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code in memory: an object file linked by ORC into this process. The owner keeps the code
// mapped; entries are valid as long as any copy of it lives.
#pragma once

#include "driver/Compilation.h"
#include "llvm/Support/Error.h"
#include <spl/Module.h>

namespace spl::jit {

/// Links the object that was compiled from these kernels and looks up their entries. Fails where
/// the machine has no memory for code or a symbol that the code needs is missing.
llvm::Expected<HostCode> linkIntoProcess(llvm::StringRef object,
                                         llvm::ArrayRef<driver::KernelInfo> kernels);

} // namespace spl::jit

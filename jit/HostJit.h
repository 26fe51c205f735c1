// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code in memory: an object file that ORC links into this process. HostCode::owner keeps the
// code mapped. Entries are valid as long as a copy of the owner exists.
#pragma once

#include "driver/Compilation.h"
#include "llvm/Support/Error.h"
#include <spl/Module.h>

namespace spl::jit {

/// Links the object file that was compiled from these kernels, and looks up their entries. Fails if
/// there is no memory for code, or if the code needs a symbol that does not exist.
llvm::Expected<HostCode> linkIntoProcess(llvm::StringRef object,
                                         llvm::ArrayRef<driver::KernelInfo> kernels);

} // namespace spl::jit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code in memory: object files that ORC links into this process. HostCode::owner keeps the
// code mapped. Entries are valid as long as a copy of the owner exists.
#pragma once

#include "driver/Compilation.h"
#include "llvm/Support/Error.h"
#include <spl/Module.h>

namespace spl::jit {

/// Links the code that was compiled from these kernels, an object file or an archive of object
/// files, and looks up their entries. Fails if there is no memory for code, or if the code needs a
/// symbol that does not exist. An archive may contain versions that are compiled later, by these
/// options: HostKernel::find compiles and links them.
llvm::Expected<HostCode> linkIntoProcess(llvm::StringRef code,
                                         llvm::ArrayRef<driver::KernelInfo> kernels,
                                         const codegen::Options &options);

} // namespace spl::jit

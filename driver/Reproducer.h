// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with what an error of the compiler can be reproduced with: every source file, and
// run.sh, which compiles them with the same options. It stays until the user removes it.
#pragma once

#include "driver/Compilation.h"

namespace spl::driver {

/// Writes the folder below the system's folder for temporary files. \p files may be null where the
/// source was not parsed; output is what --emit takes. Returns the folder's path, or the error of
/// the file system.
llvm::Expected<std::string> writeReproducer(const Source &source, const syntax::FileSet *files,
                                            const CompileOptions &options, llvm::StringRef output);

} // namespace spl::driver

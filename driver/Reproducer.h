// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that reproduces an error of the compiler: all source files, and run.sh, which compiles
// them with the same options. The folder exists until the user removes it.
#pragma once

#include "driver/Compilation.h"

namespace spl::driver {

/// Writes the folder into the system's folder for temporary files. \p files is null if the source
/// was not parsed. \p output is the value of --emit. Returns the path of the folder, or the error
/// of the file system.
llvm::Expected<std::string> writeReproducer(const Source &source, const syntax::FileSet *files,
                                            const CompileOptions &options, llvm::StringRef output);

} // namespace spl::driver

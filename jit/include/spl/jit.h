// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compiles source text for a context and loads the kernels there. The functions are in libspl-jit.
/// <spl/spl.h> includes this header if it is installed. Several threads may call the functions at
/// once.
///
/// libspl-jit.so of a release build contains LLVM. If the library shares LLVM with the program
/// instead, the first compilation turns LLVM's option -slp-copyable-elements off for all code that
/// the program compiles, unless the program has set it with llvm::cl::ParseCommandLineOptions.
#ifndef SPL_JIT_H
#define SPL_JIT_H

#include <spl/Cxx20.h>

#include <spl/Context.h>
#include <spl/Module.h>
#include <spl/abi/CheckReport.h>

#include <functional>
#include <string>
#include <vector>

namespace spl::jit {

/// How to compile. The defaults are those of `simple compile`.
struct Options {
  int optLevel = 2;           ///< 0 to 3
  std::string checks = "all"; ///< "all", "none", or kinds separated by commas: "bounds,division"
  bool contracts = true;      ///< also compile the kernels that run if their launch contract holds
  bool strictFp = false;      ///< no fusion of a * b + c
  bool fastMath = false;      ///< allow reassociation, approximations and flushing of subnormals
  int maxRegisters = 0;       ///< per work-item, for PTX: 1 to 255; 0 is no limit
  /// On the CPU, each loop tests whether the time limit of the launch has passed
  /// (LaunchConfig::timeLimit). Loops with the test are not vectorised. The option does not change
  /// kernels for GPUs.
  bool interruptible = false;

  /// Report each access to a detector, on the CPU. A launch then throws CheckFailed with the data
  /// races and other errors that it finds (docs/check.md). Kernels run many times slower.
  /// SPL_CHECK=1 in the environment sets it for a whole process.
  bool instrument = false;

  bool lineInfo = false; ///< add the lines of the source to the code, for profilers and debuggers
  /// Folders that `use` searches after the folder of the file.
  std::vector<std::string> includes = {};
  /// Instances of generic kernels to compile: "scale[f32]", "f[f32, 16]".
  std::vector<std::string> instances = {};

  /// Use the user's cache of compiled kernels on disk. The environment variable SPL_CACHE=off turns
  /// it off for a whole process.
  bool cache = true;

  /// Called with warnings: the reason why nothing can be cached, once per process for each reason.
  /// If it is empty, warnings go to standard error.
  std::function<void(const std::string &)> onWarning = {};
};

/// Compiles a .spl file, or takes its code from the cache, and loads every kernel in it. Throws
/// Error: CompileFailed, whose message holds the diagnostics as the command line prints them;
/// InvalidArgument for invalid options; whatever Module::load throws.
Module loadFile(const Context &context, const std::string &path, const Options &options = {});

/// The same for text in memory. \p name is the file name in diagnostics and faults.
Module loadSource(const Context &context, const std::string &text,
                  const std::string &name = "<source>", const Options &options = {});

/// What became of the checks of a kernel.
using abi::CheckReport;

/// Returns what becomes of the checks of each kernel of a file when it is compiled for the context.
/// It stops before code is generated, and does not use the cache. Throws Error: CompileFailed, or
/// InvalidArgument for invalid options.
std::vector<CheckReport> reportChecksOfFile(const Context &context, const std::string &path,
                                            const Options &options = {});

/// The same for text in memory, as in loadSource.
std::vector<CheckReport> reportChecksOfSource(const Context &context, const std::string &text,
                                              const std::string &name = "<source>",
                                              const Options &options = {});

} // namespace spl::jit

#endif

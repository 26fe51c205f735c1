// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels from source text, compiled for the context they will run in and loaded there. Needs
/// libspl-jit; <spl/spl.h> includes this where it is installed. Several threads may load at once.
///
/// The first compilation turns LLVM's option -slp-copyable-elements off, unless the program gave it
/// a value by llvm::cl::ParseCommandLineOptions. The option is global: in a program that uses the
/// same libLLVM for other code it is off for that code too.
#ifndef SPL_JIT_H
#define SPL_JIT_H

#include <spl/Cxx20.h>

#include <spl/Context.h>
#include <spl/Module.h>

#include <functional>
#include <string>
#include <vector>

namespace spl::jit {

/// How to compile. The defaults are those of `simple compile`.
struct Options {
  int optLevel = 2;           ///< 0 to 3
  std::string checks = "all"; ///< "all", "none", or kinds separated by commas: "bounds,division"
  bool contracts = true;      ///< also make the kernels that run where a launch contract holds
  bool strictFp = false;      ///< no fusing of a * b + c
  bool fastMath = false;      ///< allow reassociation, approximations and flushing of subnormals
  int maxRegisters = 0;       ///< of a work-item, for PTX: 1 to 255; 0 for no limit
  /// For LaunchConfig::timeLimit, on the CPU: each loop tests whether the launch's time limit is
  /// over. Loops with the test are not vectorised. It changes nothing of kernels for GPUs.
  bool interruptible = false;

  bool lineInfo = false; ///< the lines of the source in the code, for profilers and debuggers
  std::vector<std::string> includes = {}; ///< folders where `use` looks after the file's own
  std::vector<std::string> instances =
      {}; ///< of generic kernels to make: "scale[f32]", "f[f32, 16]"

  /// Take what was compiled before from the user's cache on disk, and store there what is compiled.
  /// The environment's SPL_CACHE=off turns it off for a whole process.
  bool cache = true;

  /// Hears what does not stop a load: why nothing can be cached, once in the process for each
  /// reason. Where none is given, standard error gets a line.
  std::function<void(const std::string &)> onWarning = {};
};

/// Compiles a .spl file, unless that was done before, and loads every kernel in it. Throws Error:
/// CompileFailed, whose message holds the diagnostics as the command line prints them;
/// InvalidArgument for options that mean nothing; whatever Module::load throws. May be called from
/// several threads at once.
Module loadFile(const Context &context, const std::string &path, const Options &options = {});

/// The same for text in memory; \p name represents the file in diagnostics and faults.
Module loadSource(const Context &context, const std::string &text,
                  const std::string &name = "<source>", const Options &options = {});

} // namespace spl::jit

#endif

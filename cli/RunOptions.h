// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line of `simple run` says, and the parts of the work that its two forms (one
// launch, a script of launches) share.
#pragma once

#include "cli/CompileFlags.h"
#include <chrono>
#include <optional>
#include <spl/spl.h>
#include <string>
#include <vector>

namespace spl::cli {

class Launcher;

struct RunOptions {
  std::string file;
  std::string kernel;
  std::string global; ///< X[,Y[,Z]]
  std::string local;
  std::string script;
  std::int64_t shared = 0;            ///< bytes
  std::string backend;                ///< empty: what SPL_BACKEND says
  std::optional<int> device;          ///< none: what SPL_DEVICE says
  std::vector<std::string> arguments; ///< NAME=VALUE
  std::vector<std::string> saves;     ///< NAME=FILE.npy
  std::vector<std::string> prints;    ///< NAME
  bool full = false;
  double timeout = 0; ///< seconds that each launch may take; 0: no limit
  int repeat = 1;
  bool time = false;
  CompileFlags compile;
};

/// NAME=VALUE as two texts. Throws Failure where there is no '='.
std::pair<std::string, std::string> nameAndValue(const std::string &text, const char *option);

/// "; did you mean 'alpha'?" for a name that is no parameter but close to one; else nothing.
std::string parameterCorrection(const Kernel &kernel, const std::string &name);

/// Throws Failure if a name to save or print is no buffer, or the file to save to is the source:
/// before the work, not after it.
void requireBuffers(const Launcher &launcher, const RunOptions &options);

/// The options' time limit of a launch.
std::chrono::milliseconds timeLimitOf(const RunOptions &options);

/// Launches repeat times and waits; with time, prints the median, least and largest milliseconds.
void launchTimed(const Context &context, const Kernel &kernel, const LaunchConfig &config,
                 std::span<const Argument> arguments, const RunOptions &options);

/// The kernels that a script launches, as far as it can be read; runScript says what is wrong with
/// it.
std::vector<std::string> kernelsOfScript(const std::string &path);

/// The launches of options.script, a JSON file; what it saves and prints is added to the options.
/// Throws Failure, naming the place in the file.
void runScript(const Context &context, Launcher &launcher, RunOptions &options);

} // namespace spl::cli

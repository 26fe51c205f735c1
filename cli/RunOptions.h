// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `simple run`, and functions that its two forms share: one launch, and a script of
// launches.
#pragma once

#include "cli/CompileFlags.h"
#include "cli/Launcher.h"
#include "spl/abi/CheckReport.h"
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <spl/spl.h>
#include <string>
#include <vector>

namespace spl::cli {

class CheckedLaunches;
class Script;

struct RunOptions {
  std::string file;
  std::string kernel;
  std::string global; ///< X[,Y[,Z]]
  std::string local;
  std::string script;
  std::int64_t shared = 0;            ///< bytes
  std::string backend;                ///< if empty, SPL_BACKEND decides
  std::optional<int> device;          ///< without it, SPL_DEVICE decides
  std::vector<std::string> arguments; ///< NAME=VALUE
  std::vector<std::string> saves;     ///< NAME=FILE.npy
  std::vector<std::string> prints;    ///< NAME
  bool full = false;
  double timeout = 0; ///< time limit of each launch in seconds; 0 is no limit
  int repeat = 1;
  bool time = false;
  bool isChecked = false; ///< `simple check`
  CompileFlags compile;
};

/// Splits the NAME=VALUE of --arg. Throws Failure if it has another form.
std::pair<std::string, std::string> nameAndValue(const std::string &argument);
/// Splits the NAME=FILE.npy of --save. Throws Failure if it has another form.
std::pair<std::string, std::string> nameAndFile(const std::string &save);

/// "; did you mean 'alpha'?" for a name that is similar to the name of a parameter, otherwise "".
std::string parameterCorrection(const Kernel &kernel, const std::string &name);

/// The parameters of a kernel that have no argument.
struct Missing {
  std::vector<std::string> names;
  std::string text; ///< "parameters 'a' (f32), 'b' (&[f32]) of kernel"
  const char *verb() const { return names.size() == 1 ? " is" : " are"; }
};
Missing missingOf(const Kernel &kernel, const std::set<std::string> &given);

/// Converts the VALUE of each --arg to a value, or to a buffer of \p launcher with the name of the
/// parameter. Throws Failure if an argument is wrong or names no parameter, and if some are
/// missing: the error then lists all of them, and --global if it is missing too.
std::map<std::string, Binding> bindArguments(const Kernel &kernel, Launcher &launcher,
                                             const RunOptions &options);

/// Throws Failure if --save or --print names no buffer. It is called before the launch.
void requireBuffers(const Launcher &launcher, const RunOptions &options);

/// The time limit of a launch.
std::chrono::milliseconds timeLimitOf(const RunOptions &options);

/// What the launches of one command share.
struct LaunchRun {
  const Context &context;
  Launcher &launcher;
  CheckedLaunches *checked; ///< of `simple check`; else null
  /// For options.time: the kernels whose report on checks has not been printed.
  std::vector<abi::CheckReport> &reports;

  /// Launches options.repeat times and waits. With options.time, prints the median, minimum and
  /// maximum time in milliseconds, and what became of the checks, if no launch has findings.
  /// \p name is that of the launch in a script, or empty.
  void launch(const std::string &name, const Kernel &kernel, const LaunchConfig &config,
              std::span<const Argument> arguments, const RunOptions &options) const;
};

/// Runs the launches of a script. Throws Failure or PlacedError with the place in the script.
void runScript(const LaunchRun &run, const Script &script, const RunOptions &options);

} // namespace spl::cli

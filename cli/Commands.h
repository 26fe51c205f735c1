// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands of `simple`. Each function adds a subcommand with its options to the application.
// The callback of the subcommand does the work. It throws Failure, spl::Error, or the exceptions of
// CLI11 for wrong usage.
#pragma once

namespace CLI {
class App;
}

namespace spl::cli {

void addCompileCommand(CLI::App &app);
void addRunCommand(CLI::App &app);
void addCheckCommand(CLI::App &app);
void addDevicesCommand(CLI::App &app);
void addCacheCommand(CLI::App &app);

/// Parses the command line and runs the subcommand. Reports errors on standard error. Returns the
/// exit status of the process (docs/cli.md).
int runCommandLine(CLI::App &app, int argc, char **argv);

} // namespace spl::cli

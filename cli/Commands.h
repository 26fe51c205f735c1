// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands of `simple`. Each adds its options to the application and does its work as the
// subcommand's callback, which throws Failure, spl::Error or what CLI11 throws for wrong usage.
#pragma once

namespace CLI {
class App;
}

namespace spl::cli {

void addCompileCommand(CLI::App &app);
void addRunCommand(CLI::App &app);
void addDevicesCommand(CLI::App &app);
void addCacheCommand(CLI::App &app);

/// Parses the command line, runs the subcommand and returns the process's exit status
/// (docs/cli.md); every failure has been reported on standard error.
int runCommandLine(CLI::App &app, int argc, char **argv);

} // namespace spl::cli

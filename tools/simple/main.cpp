// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple: compiles and runs kernels, and lists devices. docs/cli.md is its manual.
#include "cli/Commands.h"
#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  CLI::App app("Compiles and runs kernels written in the Simple kernel language.", "simple");
  spl::cli::addCompileCommand(app);
  spl::cli::addRunCommand(app);
  spl::cli::addCheckCommand(app);
  spl::cli::addDevicesCommand(app);
  spl::cli::addCacheCommand(app);
  return spl::cli::runCommandLine(app, argc, argv);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple: compiles kernels, runs them and tells what can run them. docs/cli.md is its manual.
#include "tools/driver/Commands.h"
#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  CLI::App app("Compiles and runs kernels written in the Simple kernel language.", "simple");
  spl::driver::addCompileCommand(app);
  spl::driver::addRunCommand(app);
  spl::driver::addDevicesCommand(app);
  spl::driver::addCacheCommand(app);
  return spl::driver::runCommandLine(app, argc, argv);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs, and compares their results with those of their references.
#include "programs/Run.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace programs {

#define PROGRAM(name, about, from) void name(Run &run);
#include "programs/Programs.def"

const std::vector<Program> &all() {
  static const std::vector<Program> rows = {
#define PROGRAM(name, about, from) {#name, about, from, name},
#include "programs/Programs.def"
  };
  return rows;
}

namespace {

/// What became of the kernels of all programs.
struct Totals {
  std::size_t programs = 0, failed = 0, kernels = 0, unchecked = 0;
};

void printKernels(const Run &run) {
  for (const auto &[name, kernel] : run.kernels()) {
    std::printf("%s: %s", name.c_str(), kernel.checks.str().c_str());
    std::printf("  the launch contract holds in %zu of %zu launches\n",
                kernel.launches - kernel.unmet, kernel.launches);
    if (kernel.unmet)
      std::printf("  not met: %s (%s)\n", kernel.firstUnmet.condition.c_str(),
                  kernel.firstUnmet.values.c_str());
  }
}

void runOne(const Program &program, const spl::Context &context, const Settings &settings,
            bool report, Totals &totals) {
  Run run(context, settings, std::string(program.name));
  ++totals.programs;
  try {
    program.run(run);
    std::printf("%.*s: passed\n", int(program.name.size()), program.name.data());
  } catch (const std::exception &error) {
    ++totals.failed;
    std::printf("%.*s: FAILED: %s\n", int(program.name.size()), program.name.data(), error.what());
  }
  for (const auto &[name, kernel] : run.kernels()) {
    ++totals.kernels;
    totals.unchecked += kernel.uncheckedButForMemory();
  }
  if (report)
    printKernels(run);
  std::fflush(stdout);
}

} // namespace
} // namespace programs

int main(int argc, char **argv) try {
  using namespace programs;
  Settings settings{.folder = SPL_PROGRAMS_FOLDER};
  std::vector<std::string> names;
  std::string backend;
  bool list = false, report = false;

  CLI::App app{"Runs programs, and compares their results with those of their references."};
  app.footer("Without names, all programs run. The exit status is 1 if one fails.");
  app.add_option("NAME", names, "Programs to run");
  app.add_flag("--list", list, "List the programs, and stop");
  app.add_flag("--report", report, "Print what became of the checks of each kernel");
  app.add_option("--backend", backend, "cpu or cuda; the default is that of SPL_BACKEND");
  app.add_option("--level", settings.level, "The level of optimisation")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  app.add_option("--check", settings.checks, "The checks: all, none or kinds of checks")
      ->capture_default_str();
  app.add_option("--scale", settings.scale, "How many times the work of a test")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--seed", settings.seed, "The seed of the data")->capture_default_str();
  app.add_option("--folder", settings.folder, "The folder of the programs' kernels")
      ->check(CLI::ExistingDirectory);
  app.add_option("--ptx", settings.ptx,
                 "Load the kernels of NAME.ptx in this folder, instead of compiling them")
      ->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    for (const std::string &name : names)
      if (std::ranges::find(all(), name, &Program::name) == all().end())
        throw CLI::ValidationError(name, "there is no such program; --list lists them");
  } catch (const CLI::ParseError &result) {
    return app.exit(result) == 0 ? 0 : 2;
  }

  if (list) {
    for (const Program &program : all())
      std::printf("%-20.*s %.*s (%.*s)\n", int(program.name.size()), program.name.data(),
                  int(program.about.size()), program.about.data(), int(program.from.size()),
                  program.from.data());
    return 0;
  }

  if (!backend.empty())
    setenv("SPL_BACKEND", backend.c_str(), 1);
  const spl::Context context = spl::Context::makeDefault();
  Totals totals;
  for (const Program &program : all())
    if (names.empty() || std::ranges::find(names, program.name) != names.end())
      runOne(program, context, settings, report, totals);
  std::printf("%zu of %zu programs passed; %zu of %zu kernels ran without checks, except for those "
              "that depend on memory\n",
              totals.programs - totals.failed, totals.programs, totals.unchecked, totals.kernels);
  return totals.failed ? 1 : 0;
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

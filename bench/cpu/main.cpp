// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures kernels on the CPU beside their twins in C++ with OpenMP, and beside the same kernels in
// OpenCL C with PoCL, in one process.
#include "bench/cpu/Case.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <omp.h>

namespace bench {

#define CASE(group, function, name, size)                                                          \
  namespace group {                                                                                \
  void function(Case &);                                                                           \
  }
#include "bench/cpu/Cases.def"

const std::vector<Row> &rows() {
  static const std::vector<Row> all = {
#define CASE(group, function, name, size) {#group, name, size, "", group::function},
#define OTHER_CASE(group, function, name, size, algorithm)                                         \
  {#group, name, size, algorithm, group::function},
#include "bench/cpu/Cases.def"
  };
  return all;
}

namespace {

void print(const char *version, const std::vector<double> &times) {
  std::printf("%s", version);
  for (const double time : times)
    std::printf(" %.6g", time);
  std::printf("\n");
}

/// Null if it is missing.
std::unique_ptr<OpenCl> optionalOpenCl(int threads) try {
  return openCl(threads);
} catch (const OpenClMissing &) {
  return nullptr;
}

void list() {
  for (const Row &row : rows())
    std::printf("%s\t%s\t%s\t%s\n", row.group, row.name, row.size, row.otherAlgorithm);
}

} // namespace
} // namespace bench

int main(int argc, char **argv) try {
  // Within a run the threads of OpenMP wait actively for the next loop. After it they soon sleep.
  // OpenMP reads it when its first function is called.
  setenv("KMP_BLOCKTIME", "1ms", 0);
  using namespace bench;
  Settings settings{.root = SPL_SOURCES};
  std::string name;
  int threads = 1;
  bool listed = false, isVersionAsked = false;
  CLI::App app{"Measures a kernel on the CPU beside its twin in C++, and beside the same kernel in "
               "OpenCL C if PoCL is there. scripts/bench cpu runs it."};
  app.add_option("NAME", name, "The case");
  app.add_flag("--list", listed,
               "List the cases: group, name, size, and the twin's algorithm if it is another one");
  app.add_flag("--pocl", isVersionAsked, "Print the version of PoCL, or why it is left out");
  app.add_flag("--quick", settings.quick, "Use a small size");
  app.add_option("--threads", threads, "Of each version")
      ->check(CLI::Range(1, std::max(omp_get_num_procs(), 1)))
      ->capture_default_str();
  app.add_option("--rounds", settings.rounds, "How often each version is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--sources", settings.root, "The folder with examples/ and programs/")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  if (listed) {
    list();
    return 0;
  }
  if (isVersionAsked) {
    std::printf("%s\n", openCl(threads)->version().c_str());
    return 0;
  }
  if (name.empty()) {
    std::fprintf(stderr, "name a case; --list lists them\n");
    return 2;
  }
  const auto row = std::ranges::find(rows(), name, &Row::name);
  if (row == rows().end()) {
    std::fprintf(stderr, "there is no case '%s'; --list lists them\n", name.c_str());
    return 2;
  }
  if (settings.quick)
    settings.milliseconds = 0;
  omp_set_num_threads(threads);
  const spl::Context context = spl::Context::make(spl::Backend::Cpu, 0, {.cpuThreads = threads});
  const std::unique_ptr<OpenCl> pocl = optionalOpenCl(threads);
  Case one(context, settings, pocl.get());
  row->run(one);
  print("ours", one.times().ours);
  print("twin", one.times().twin);
  if (!one.times().openCl.empty())
    print("pocl", one.times().openCl);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

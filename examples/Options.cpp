// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of the examples of pipelines and streams.
#include "examples/Example.h"

#include <CLI/CLI.hpp>

namespace example {

Options readOptions(int argc, char **argv, const char *about, const char *kernels,
                    std::string_view without) {
  Options options;
  options.kernels = kernels;
  CLI::App app{about};
  app.footer("SPL_BACKEND chooses the backend: auto, cuda or cpu.");
  // A separate check for integers, because the message of the range alone is unclear for 1e9.
  const CLI::TypeValidator<long long> whole("INT");
  const CLI::Range counts(1, 1'000'000'000);
  auto add = [&](std::string_view name, auto &value, const char *meaning) -> CLI::Option * {
    if (without.find(name) != without.npos)
      return nullptr;
    return app.add_option(std::string(name), value, meaning)->capture_default_str();
  };
  add("--batches", options.batches, "How many batches")->check(whole)->check(counts);
  add("--elements", options.elements, "Elements of a batch")->check(whole)->check(counts);
  add("--rounds", options.rounds, "How much is computed for each element");
  if (CLI::Option *bus =
          add("--bus-ms", options.busMs, "What a transfer takes on the CPU, which has no bus"))
    bus->check(CLI::NonNegativeNumber);
  add("--kernels", options.kernels,
      "The file of the kernels; the default is found from the checkout's root")
      ->check(CLI::ExistingFile);
  add("--trace", options.trace, "Write a timeline for https://ui.perfetto.dev to this file");
  try {
    app.parse(argc, argv);
    // CLI11 does not check default values.
    if (const std::string error = CLI::ExistingFile(options.kernels); !error.empty())
      throw CLI::ValidationError("--kernels", error);
  } catch (const CLI::ParseError &result) {
    std::exit(app.exit(result) == 0 ? 0 : 2);
  }
  return options;
}

} // namespace example

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that the examples share: the command line, and for those of pipelines and streams also data
// with known results, and a bus that the CPU simulates.
#pragma once

#include <spl/spl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace example {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Options {
  std::size_t batches = 24;
  std::size_t elements = 250'000; ///< per batch
  std::size_t rounds = 32;        ///< the amount of computation per element
  double busMs = 4;               ///< the time of a simulated transfer on the CPU
  std::string kernels;            ///< the path of the .spl file
  std::string trace;              ///< the path of the timeline; empty for none
};

/// Parses the command line. The options in \p without do not exist. Exits the program for --help
/// and for errors.
Options readOptions(int argc, char **argv, const char *about, const char *kernels,
                    std::string_view without = "");

/// For examples without arguments. Prints \p about and exits the program if there are any.
inline void readNoOptions(int argc, char **argv, const char *about) {
  if (argc == 1)
    return;
  const bool isHelp = argc == 2 && std::string_view(argv[1]) == "--help";
  std::fprintf(isHelp ? stdout : stderr, "%s\nIt takes no arguments.\n", about);
  std::exit(isHelp ? 0 : 2);
}

/// The connection to the device. A GPU has a real bus. On the CPU a transfer is a copy in memory,
/// followed by a wait that simulates a bus.
class Bus {
public:
  Bus(const spl::Context &context, const Options &options)
      : time(context.backend() == spl::Backend::Cpu ? options.busMs : 0) {}

  /// Call this for each transfer in \p stream.
  void use(const spl::Stream &stream) const {
    if (time.count() > 0)
      stream.call([time = time] { std::this_thread::sleep_for(time); });
  }

private:
  std::chrono::duration<double, std::milli> time;
};

/// All batches one after another in pinned memory, and memory for their results. The kernel is
/// logistic.spl.
class Batches {
public:
  Batches(const spl::Context &context, const Options &options)
      : options(options), inputs(context.allocPinned<float>(options.batches * options.elements)),
        results(context.allocPinned<float>(options.batches * options.elements)) {
    for (std::size_t i = 0; i < inputs.host().size(); ++i)
      inputs.host()[i] = static_cast<float>(i * 7919 % 10007) / 10007;
  }

  std::span<const float> input(std::size_t batch) const { return part(inputs, batch); }
  std::span<float> result(std::size_t batch) const { return part(results, batch); }

  /// Compares a part of the results with those of the host, and clears the results. Exits the
  /// program if they differ.
  void check() {
    for (std::size_t i = 0; i < results.host().size(); i += 97) {
      float x = inputs.host()[i];
      for (std::size_t round = 0; round < options.rounds; ++round)
        x = 3.7f * x * (1 - x);
      if (results.host()[i] != x) {
        std::fprintf(stderr, "element %zu is %g, not %g\n", i, results.host()[i], x);
        std::exit(1);
      }
      results.host()[i] = -1;
    }
  }

private:
  std::span<float> part(const spl::Array<float> &all, std::size_t batch) const {
    return all.host().subspan(batch * options.elements, options.elements);
  }

  const Options options;
  spl::Array<float> inputs, results;
};

} // namespace example

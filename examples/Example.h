// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the examples of pipelines and streams share: their options, data whose results are known,
// and a bus where there is none.
#pragma once

#include <spl/spl.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

namespace example {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Options {
  std::size_t batches = 24;
  std::size_t elements = 250'000; ///< of a batch
  std::size_t rounds = 32;        ///< how much the kernel computes for each element
  double busMs = 4;               ///< what a transfer takes on the CPU
  std::string kernels;            ///< the .spl file
  std::string trace;              ///< where to write the timeline; empty for nowhere
};

/// Reads the command line, in which the options named in \p without do not exist. Ends the program
/// for --help and for what it cannot read.
inline Options readOptions(int argc, char **argv, const char *about, const char *kernels,
                           std::string_view without = "") {
  Options options;
  options.kernels = kernels;
  struct Row {
    std::string_view name;
    const char *text;
    std::variant<std::size_t *, double *, std::string *> value;
  };
  const Row rows[] = {
      {"--batches", "N     how many batches", &options.batches},
      {"--elements", "N    elements of a batch", &options.elements},
      {"--rounds", "N      how much is computed for each element", &options.rounds},
      {"--bus-ms", "X      what a transfer takes on the CPU, which has no bus", &options.busMs},
      {"--kernels", "FILE  where the kernels are", &options.kernels},
      {"--trace", "FILE    write a timeline for https://ui.perfetto.dev", &options.trace},
  };
  auto isThere = [&](const Row &row) { return without.find(row.name) == without.npos; };
  auto fail = [](const std::string &message) {
    std::cerr << message << "; --help says what there is\n";
    std::exit(2);
  };

  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--help") {
      std::cout << about << "\n\n";
      for (const Row &row : rows)
        if (isThere(row))
          std::visit(
              [&](auto *value) {
                std::cout << "  " << row.name << " " << row.text << " (" << *value << ")\n";
              },
              row.value);
      std::cout << "\nSPL_BACKEND chooses the backend: auto, cuda or cpu.\n";
      std::exit(0);
    }
    const Row *row = std::find_if(std::begin(rows), std::end(rows), [&](const Row &each) {
      return each.name == name && isThere(each);
    });
    if (row == std::end(rows))
      fail("unknown option '" + std::string(name) + "'");
    if (i + 1 == argc)
      fail(std::string(name) + " is given nothing");
    if (auto *text = std::get_if<std::string *>(&row->value)) {
      **text = value;
      continue;
    }
    auto read = [&](auto *number) {
      const char *last = value.data() + value.size();
      const auto [end, error] = std::from_chars(value.data(), last, *number);
      return error == std::errc() && end == last && *number >= 0;
    };
    if (auto *count = std::get_if<std::size_t *>(&row->value);
        !(count ? read(*count) : read(std::get<double *>(row->value))))
      fail(std::string(name) + " takes a number, not '" + std::string(value) + "'");
  }
  if (options.batches == 0 || options.elements == 0)
    fail("there must be a batch and an element");
  if (!std::ifstream(options.kernels))
    fail("there is no file '" + options.kernels +
         "' here; run it from the checkout's root, or name the file with --kernels");
  return options;
}

/// The way to the device. A GPU has one; on the CPU a transfer is a copy within the memory, and
/// waits besides, as if it went over a bus.
class Bus {
public:
  Bus(const spl::Context &context, const Options &options)
      : time(context.backend() == spl::Backend::Cpu ? options.busMs : 0) {}

  /// To be called for each transfer in \p stream.
  void use(const spl::Stream &stream) const {
    if (time.count() > 0)
      stream.call([time = time] { std::this_thread::sleep_for(time); });
  }

private:
  std::chrono::duration<double, std::milli> time;
};

/// All batches in pinned memory, one after another, and room for their results. The kernel is
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

  /// Compares a part of the results with what the host computes, and forgets them; ends the program
  /// if they differ.
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

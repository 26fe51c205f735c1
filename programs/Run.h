// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every program of this folder needs: a device, data, launches, and a comparison with the
/// results of the program's sequential reference.
#pragma once

#include <spl/spl.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace programs {

/// The options of the command line that concern all programs.
struct Settings {
  std::string folder;         ///< of the programs' kernels
  std::string ptx;            ///< if set, the folder of NAME.ptx, which is loaded instead
  int level = 2;              ///< of optimisation, 0 to 3
  std::string checks = "all"; ///< as jit::Options::checks
  std::size_t scale = 1;      ///< how many times the work of a test
  std::uint64_t seed = 1;     ///< of the data
};

/// A result differs from that of the reference.
class Different : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is known of a kernel after a run.
struct KernelReport {
  spl::jit::CheckReport checks;
  std::size_t launches = 0;
  std::size_t unmet = 0;           ///< launches that did not meet the kernel's launch contract
  spl::UnmetContract firstUnmet{}; ///< of the first of these launches

  /// Whether every launch ran without checks, except for those that depend on memory.
  bool uncheckedButForMemory() const;
};

/// One run of one program. It belongs to main and outlives the program's function. All functions
/// throw spl::Error where the library does.
class Run {
public:
  Run(const spl::Context &context, const Settings &settings, std::string program);

  const spl::Context &context() const { return device; }

  /// The size of a problem whose work grows as the size does: \p size in tests.
  std::size_t scaled(std::size_t size) const { return size * settings.scale; }
  /// The same for the side of a square.
  std::size_t scaledSide(std::size_t side) const;

  /// The next random bits. The data depends on the seed alone.
  std::uint64_t bits() { return random(); }
  /// A random integer from 0 to \p bound - 1.
  template <typename T> T below(T bound) {
    return static_cast<T>(random() % static_cast<std::uint64_t>(bound));
  }
  /// A random float in [low, high).
  template <typename T> T between(T low, T high) {
    return low + (high - low) * (static_cast<T>(random() >> 40) / static_cast<T>(1 << 24));
  }

  /// Compiles and loads the program's kernels, or loads those of Settings::ptx. \p instances are
  /// those of generic kernels.
  spl::Module load(const std::vector<std::string> &instances = {});

  /// Launches a kernel of load(), and notes whether the launch meets its launch contract.
  template <typename... Args>
  void launch(const spl::Kernel &kernel, const spl::LaunchConfig &config, Args &&...args) {
    note(kernel.name(), device.unmetContract(kernel, config, args...));
    device.launch(kernel, config, args...);
  }

  /// Throws Different, with the first place, unless both are equal bit for bit.
  template <typename T>
  void expectEqual(std::string_view what, const std::vector<T> &actual,
                   const std::vector<T> &expected) {
    expectSize(what, actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!(actual[i] == expected[i]))
        differ(what, i, +actual[i], +expected[i]);
  }

  /// Throws Different, with the first place, unless each element of \p actual differs from the
  /// expected one by at most \p tolerance times the larger of its magnitude and \p scale.
  template <typename T>
  void expectNear(std::string_view what, const std::vector<T> &actual,
                  const std::vector<T> &expected, double tolerance, double scale = 1) {
    expectSize(what, actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double limit = tolerance * std::max(scale, std::abs(double(expected[i])));
      if (!(std::abs(double(actual[i]) - double(expected[i])) <= limit))
        differ(what, i, actual[i], expected[i]);
    }
  }

  /// By name, of the kernels that were launched.
  std::map<std::string, KernelReport> kernels() const;

private:
  void note(const std::string &kernel, const std::optional<spl::UnmetContract> &unmet);
  void expectSize(std::string_view what, std::size_t actual, std::size_t expected) const;
  template <typename T>
  [[noreturn]] void differ(std::string_view what, std::size_t at, T actual, T expected) const {
    std::ostringstream text;
    text.precision(9);
    text << what << "[" << at << "] is " << actual << ", and the reference has " << expected;
    throw Different(text.str());
  }

  const spl::Context &device;
  const Settings &settings;
  std::string program;
  std::mt19937_64 random;
  std::map<std::string, KernelReport> reports;
};

/// One row of Programs.def.
struct Program {
  std::string_view name, about, from;
  void (*run)(Run &);
};

/// The rows of Programs.def.
const std::vector<Program> &all();

} // namespace programs

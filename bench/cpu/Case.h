// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each comparison of a kernel with its twin in C++, and with the same kernel in OpenCL C,
/// needs: data, kernels, measurement, and the comparison of results.
#pragma once

#include "bench/cpu/OpenCl.h"

#include <spl/spl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The options of the command line that concern all cases.
struct Settings {
  std::string root;     ///< the folder with examples/, programs/ and bench/cpu/
  bool quick = false;   ///< small sizes, to test the bench
  int rounds = 15;      ///< how often each version is measured
  int milliseconds = 3; ///< the least time of a measurement, for which short runs are repeated
  std::chrono::seconds longest{6}; ///< after which a case has fewer rounds
};

/// The milliseconds of one run of each version, by round.
struct Times {
  std::vector<double> ours, twin, openCl;
};

/// A kernel of the project, its twin in C++, and the same kernel in OpenCL C. Each stores its
/// results in arrays of its own.
struct Versions {
  std::function<void()> ours, twin;
  std::function<void()> compare; ///< throws Different unless the results are equal
  /// Launches the kernel in OpenCL C. Empty if there is none. Not called without PoCL.
  std::function<void()> openCl = {};
  std::function<void()> compareOpenCl = {}; ///< its results with ours, as compare
};

/// The results of two versions differ.
class Different : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The host's address of an array on the CPU.
template <typename T> T *host(const spl::Array<T> &array) {
  return reinterpret_cast<T *>(array.address());
}

template <typename T> std::span<const T> elements(const spl::Array<T> &array) {
  return {host(array), static_cast<std::size_t>(array.size())};
}
template <typename T> std::span<const T> elements(const std::vector<T> &values) { return values; }
template <typename T> std::span<const T> elements(std::span<const T> values) { return values; }

/// The numbers of an array of structs or vectors that have numbers of one type only.
template <typename Number, typename T> std::span<const Number> numbers(const spl::Array<T> &array) {
  return {reinterpret_cast<const Number *>(array.address()), array.sizeBytes() / sizeof(Number)};
}

/// One comparison. It belongs to main and outlives the function of the case. All functions throw
/// spl::Error where the library does.
class Case {
public:
  /// \p pocl is null if it is missing.
  Case(const spl::Context &context, const Settings &settings, OpenCl *pocl)
      : device(context), settings(settings), pocl(pocl) {}

  const spl::Context &context() const { return device; }
  std::mt19937_64 &random() { return generator; }

  /// A size: \p small in quick runs.
  std::int64_t size(std::int64_t full, std::int64_t small) const {
    return settings.quick ? small : full;
  }

  /// Compiles and loads a file, whose path is relative to the root of the source tree.
  spl::Module load(const std::string &file, const std::vector<std::string> &instances = {}) const;

  /// The kernel \p name of a file in bench/cpu/opencl. Null without PoCL.
  std::shared_ptr<OpenClKernel> loadOpenCl(const std::string &file, const std::string &name,
                                           const std::string &options = "") const;

  /// A random number in [low, high).
  template <typename T> T draw(T low, T high) {
    if constexpr (std::is_floating_point_v<T>)
      return low + (high - low) * static_cast<T>(generator() >> 40) / static_cast<T>(1 << 24);
    else
      return static_cast<T>(low + static_cast<T>(generator() % std::uint64_t(high - low)));
  }

  /// An array of random numbers in [low, high).
  template <typename T> spl::Array<T> uniform(const spl::Shape &shape, T low, T high) {
    spl::Array<T> result = device.alloc<T>(shape);
    for (std::int64_t i = 0; i < result.size(); ++i)
      host(result)[i] = draw(low, high);
    return result;
  }
  template <typename T> spl::Array<T> zeros(const spl::Shape &shape) const {
    return device.allocZeros<T>(shape);
  }
  template <typename T> spl::Array<T> copy(const spl::Array<T> &array) const {
    return device.allocUpload(elements(array), array.shape());
  }

  template <typename... Args>
  void launch(const spl::Kernel &kernel, const spl::LaunchConfig &config, Args &&...args) const {
    device.launch(kernel, config, args...);
  }

  /// Sizes of groups are those of our kernel, and must be given.
  template <typename... Args>
  void launch(const std::shared_ptr<OpenClKernel> &kernel, const spl::LaunchConfig &config,
              const Args &...args) const {
    kernel->launch(config, std::array{OpenClArgument(args)...});
  }

  /// For the versions in OpenCL C.
  OpenCl &openCl() const { return *pocl; }

  /// Called before each run of any version, and not measured. For runs that change their inputs.
  void restoreBefore(std::function<void()> restore) { this->restore = std::move(restore); }

  /// Compares the results of all versions, and measures them in rotating order.
  void measure(const Versions &versions);

  const Times &times() const { return found; }

  /// Throws Different, with the first place, unless both are equal.
  template <typename Values>
  void expectEqual(std::string_view what, const Values &ours, const Values &other) const {
    expectNear(what, ours, other, 0);
  }

  /// Throws Different, with the first place, unless the elements differ by at most \p tolerance
  /// times the larger of the other's magnitude and \p scale. A fraction \p mayDiffer of the
  /// elements may differ more, where a rounding decides.
  template <typename Values>
  void expectNear(std::string_view what, const Values &ours, const Values &other, double tolerance,
                  double scale = 1, double mayDiffer = 0) const {
    const auto actual = elements(ours), expected = elements(other);
    std::size_t different = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double a = double(actual[i]), b = double(expected[i]);
      if (!(std::abs(a - b) <= tolerance * std::max(scale, std::abs(b))) &&
          double(++different) > mayDiffer * double(expected.size())) {
        std::ostringstream text;
        text.precision(9);
        text << what << "[" << i << "] is " << a << ", and " << b;
        throw Different(text.str());
      }
    }
  }

private:
  /// A version to be measured, and where its times go.
  struct Measured {
    std::function<void()> run;
    std::vector<double> &times;
  };

  bool hasOpenCl(const Versions &versions) const { return pocl && versions.openCl; }
  void runOpenCl(const Versions &versions) const;
  void check(const Versions &versions) const;
  double timed(const std::function<void()> &run, int repeats) const;

  const spl::Context &device;
  const Settings &settings;
  OpenCl *pocl;
  std::mt19937_64 generator{1};
  std::function<void()> restore;
  Times found;
};

/// One row of Cases.def.
struct Row {
  const char *group, *name, *size;
  const char *otherAlgorithm; ///< of the twin; empty if it is the kernel's
  void (*run)(Case &);
};

/// The rows of Cases.def.
const std::vector<Row> &rows();

} // namespace bench

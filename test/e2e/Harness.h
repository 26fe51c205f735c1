// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the end-to-end tests. A file of kernels is compiled with all relevant options, run on
// vectors of the host, and compared with references. Each build runs on the CPU and as PTX. PTX
// runs through the runtime's CUDA backend on a driver that interprets it (test/fakecuda). A failed
// comparison names the build, the element and both values. Any other failure is an exception of
// type spl::Error.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <spl/spl.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace spl::e2e {

/// A file of kernels with some words replaced. For example, {"integers.spl", {{"i32", "u8"}}} is
/// the same kernels for u8.
struct Source {
  std::string file; ///< relative to test/e2e/Inputs, or absolute
  std::vector<std::pair<std::string, std::string>> replacements = {};
  std::string contents = {}; ///< if not empty, the text; file is then only its name

  std::string path() const;
  std::string text() const;
};

/// The elements of a bool slice, one byte each. std::vector<bool> does not have this layout.
struct Bools {
  std::vector<unsigned char> &bytes;
};

/// A vector as a row-major array of the given shape: Shaped(values, {rows, columns}).
template <class T> struct Shaped {
  Shaped(T &values, const Shape &shape) : values(values), shape(shape) {}
  T &values;
  Shape shape;
};

/// The numbers of elements to test: 0, 1, one less and one more than a warp and than the largest
/// group, and a prime above a million.
inline const std::size_t sizes[] = {0, 1, 31, 33, 1023, 1025, 1000003};
/// All of these except the largest, which is slow in an interpreter.
inline const std::span<const std::size_t> smallSizes(sizes, std::size(sizes) - 1);

/// Whether SPL_CHECK=1 is set: launches on the CPU are checked, and throw where there are findings.
bool isChecked();

/// Whether PTX runs on the first CUDA device of this machine, rather than in the interpreter. The
/// environment variable SPL_E2E_DEVICE says so. scripts/gpu-run sets it.
bool isOnDevice();

/// A PTX build and how it runs.
struct PtxBuild {
  std::string text;
  int device = 0; ///< each build has its own, because a fault ends the context of the device
  std::optional<std::uint64_t> seed;
};

/// A compiled and loaded Source.
class Build {
public:
  /// \p context must outlive the build.
  Build(const Context &context, Module module)
      : opened(&context, [](const Context *) {}), module(std::move(module)) {}
  explicit Build(PtxBuild ptx);

  /// Whether this is a PTX build, which the interpreter runs.
  bool isPtx() const { return ptx.has_value(); }
  /// The context. For PTX it is a new one after a kernel broke a rule of the interpreter.
  const Context &context() const;

  /// The sizes to test. The CPU is fast enough for a million elements, unless launches are checked.
  std::span<const std::size_t> sizes() const {
    return isPtx() || isChecked() ? smallSizes : std::span<const std::size_t>(e2e::sizes);
  }

  /// Launches a kernel. A const vector is a read-only slice. Any other vector is copied to a slice,
  /// and has the contents of that slice afterwards. Other arguments are values.
  template <class... Args>
  void run(const std::string &kernel, const LaunchConfig &config, Args &&...args) const {
    std::vector<Buffer> buffers;
    buffers.reserve(sizeof...(args)); // the arguments point into it, so it must not grow
    std::vector<Argument> arguments;
    context(); // opens the context also for a launch without arrays
    (add(buffers, arguments, args), ...);
    guarded([&] {
      opened->launch((*module)[kernel], config, arguments);
      std::size_t next = 0;
      (fetch(buffers, next, args), ...);
      opened->sync();
    });
  }

  /// Launches on buffers. They have their final contents even if the launch fails.
  template <class... Args>
  void launch(const std::string &kernel, const LaunchConfig &config, Args &&...args) const {
    context();
    guarded([&] {
      opened->launch((*module)[kernel], config, args...);
      opened->sync();
    });
  }

  /// The condition of the launch contract that this launch does not meet, or nothing.
  template <class... Args>
  std::string unmetCondition(const std::string &kernel, const LaunchConfig &config,
                             Args &&...args) const {
    context();
    return std::string(opened->unmetCondition((*module)[kernel], config, args...));
  }

private:
  /// Calls \p launches, and records whether it ends the context.
  void guarded(const std::function<void()> &launches) const;
  void open() const;

  void addBytes(std::vector<Buffer> &buffers, std::vector<Argument> &arguments,
                const ElementType &element, const Shape &shape, const void *bytes) const;

  template <class T>
  void add(std::vector<Buffer> &buffers, std::vector<Argument> &arguments,
           const Shaped<T> &array) const {
    addBytes(buffers, arguments, elementTypeOf<typename T::value_type>(), array.shape,
             array.values.data());
  }
  template <class T>
  void fetch(std::vector<Buffer> &buffers, std::size_t &next, const Shaped<T> &array) const {
    fetch(buffers, next, array.values);
  }

  template <class T>
  void add(std::vector<Buffer> &buffers, std::vector<Argument> &arguments,
           const std::vector<T> &values) const {
    addBytes(buffers, arguments, elementTypeOf<T>(), values.size(), values.data());
  }
  void add(std::vector<Buffer> &buffers, std::vector<Argument> &arguments,
           const Bools &values) const {
    addBytes(buffers, arguments, ScalarType::Bool, values.bytes.size(), values.bytes.data());
  }
  template <DeviceElement T>
  void add(std::vector<Buffer> &, std::vector<Argument> &arguments, const T &value) const {
    arguments.emplace_back(value);
  }

  template <class T>
  void fetch(std::vector<Buffer> &buffers, std::size_t &next, std::vector<T> &values) const {
    const Buffer &buffer = buffers[next++];
    buffer.downloadBytes(values.data(), buffer.sizeBytes());
  }
  template <class T>
  void fetch(std::vector<Buffer> &, std::size_t &next, const std::vector<T> &) const {
    ++next;
  }
  void fetch(std::vector<Buffer> &buffers, std::size_t &next, const Bools &values) const {
    const Buffer &buffer = buffers[next++];
    buffer.downloadBytes(values.bytes.data(), buffer.sizeBytes());
  }
  template <DeviceElement T> void fetch(std::vector<Buffer> &, std::size_t &, const T &) const {}

  std::optional<PtxBuild> ptx;
  mutable std::shared_ptr<const Context> opened;
  mutable std::optional<Module> module;
  mutable bool isLost = false; ///< whether a fault ended the context
};

/// A context on the CPU, which all tests share.
const Context &cpu();

/// -O0, -O2 and -O3, each with and without checks.
std::vector<jit::Options> everyOption();
/// The two extremes for slow tests: -O0 with all checks and -O3 without checks.
std::vector<jit::Options> extremeOptions();
/// The same for instances of generic kernels, such as "scale[f32]".
std::vector<jit::Options> extremeOptions(const std::vector<std::string> &instances);

/// Compiles the source with each of the options and runs \p test on the builds: for this CPU, for
/// another CPU type that this CPU supports, and as PTX. If launches are checked, there is one
/// build: for this CPU, with the first options. Options do not change what a detector sees.
void forEachBuild(const Source &source, const std::vector<jit::Options> &options,
                  const std::function<void(const Build &)> &test, const char *otherCpu = nullptr);

//===-- Inputs --===//

/// The values at the limits of arithmetic on T.
template <class T> std::vector<T> specialValues() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T values[] = {T(1.5),
                        T(0),
                        T(1),
                        Limits::denorm_min(),
                        Limits::min(),
                        Limits::min() / 2 * 3,
                        Limits::max(),
                        Limits::epsilon(),
                        Limits::infinity(),
                        T(3),
                        T(1) + Limits::epsilon(),
                        T(0.1),
                        T(16777217),
                        T(1e10),
                        T(123.456)};
    std::vector<T> result;
    for (T value : values) {
      result.push_back(value);
      result.push_back(-value);
    }
    result.push_back(Limits::quiet_NaN());
    return result;
  } else {
    std::vector<T> result = {T(7),
                             Limits::min(),
                             Limits::max(),
                             T(0),
                             T(1),
                             T(-1),
                             T(2),
                             T(-2),
                             T(3),
                             T(-3),
                             T(10),
                             T(-10),
                             T(100),
                             T(Limits::max() - 1),
                             T(Limits::min() + 1),
                             T(Limits::max() / 2),
                             T(Limits::max() / 2 + 1)};
    return result;
  }
}

/// Random bits as a T. For floats this includes every exponent, subnormals and NaN.
template <class T> T randomBits(std::mt19937_64 &generator) {
  const std::uint64_t bits = generator();
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// \p n values, alternately special and random. They depend on the seed and are never all zero.
template <class T> std::vector<T> inputs(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const std::vector<T> special = specialValues<T>();
  std::vector<T> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = i % 3 == 1 ? special[(i / 3 + seed) % special.size()] : randomBits<T>(generator);
  if (n != 0 && !(values[0] != T(0)))
    values[0] = T(5);
  return values;
}

/// Two operands for each element: every pair of special values, then random values.
template <class T> std::pair<std::vector<T>, std::vector<T>> pairs(std::size_t n) {
  std::mt19937_64 generator(n + 1);
  const std::vector<T> special = specialValues<T>();
  const std::size_t count = special.size();
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i != n; ++i) {
    const bool isSpecial = i < count * count;
    a[i] = isSpecial ? special[i % count] : randomBits<T>(generator);
    b[i] = isSpecial ? special[i / count] : randomBits<T>(generator);
  }
  return {a, b};
}

/// Floats that are not special, and whose products and sums are inexact.
template <class T> std::vector<T> plainFloats(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<T> uniform(T(-8), T(8));
  std::vector<T> values(n);
  for (T &value : values)
    value = uniform(generator);
  return values;
}

//===-- Results --===//

/// Whether T is f16 or bf16, for which the conversion to float is exact.
template <class T> constexpr bool isHalf = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

template <class T> std::string shown(T value) {
  if constexpr (isHalf<T>) {
    return shown(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g (%a)", static_cast<double>(value),
                  static_cast<double>(value));
    return text;
  } else {
    return std::to_string(value);
  }
}

/// Whether both have the same bits. All NaN are equal.
template <class T> bool isSame(T a, T b) {
  if constexpr (isHalf<T>)
    return isSame(static_cast<float>(a), static_cast<float>(b));
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Compares every element with expected(i). Reports the first difference and the number of
/// differences.
template <class T, class F>
void expectEach(const std::vector<T> &actual, F &&expected, const char *what) {
  std::size_t differing = 0, first = 0;
  for (std::size_t i = 0; i != actual.size(); ++i)
    if (!isSame<T>(actual[i], static_cast<T>(expected(i))) && differing++ == 0)
      first = i;
  if (differing != 0)
    ADD_FAILURE() << what << ": element " << first << " of " << actual.size() << " is "
                  << shown(actual[first]) << ", not " << shown(static_cast<T>(expected(first)))
                  << "; " << differing << " differ";
}

/// Compares every field of groups of \p width results. field(i, k) is result k of element i.
template <class T, class F>
void expectFields(const std::vector<T> &actual, std::size_t width, F &&field, const char *what) {
  std::size_t reported = 0;
  for (std::size_t at = 0; at != actual.size() && reported < 5; ++at) {
    const T expected = static_cast<T>(field(at / width, at % width));
    if (isSame<T>(actual[at], expected))
      continue;
    ++reported;
    ADD_FAILURE() << what << ": result " << at % width << " of element " << at / width << " is "
                  << shown(actual[at]) << ", not " << shown(expected);
  }
}

/// Calls a generic lambda with each type of the language and its name: f(T{}, "i32").
template <class F> void forEachInteger(F &&f) {
  f(std::int8_t{}, "i8"), f(std::int16_t{}, "i16"), f(std::int32_t{}, "i32");
  f(std::int64_t{}, "i64"), f(std::uint8_t{}, "u8"), f(std::uint16_t{}, "u16");
  f(std::uint32_t{}, "u32"), f(std::uint64_t{}, "u64");
}
template <class F> void forEachFloat(F &&f) { f(float{}, "f32"), f(double{}, "f64"); }

} // namespace spl::e2e

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the end-to-end tests share: a file of kernels is compiled in every way there is, run on
// vectors of the host, and its results are compared with references. Each build runs on the CPU and
// as PTX, through the runtime's CUDA backend on a driver that interprets it (test/fakecuda). A
// failing comparison names the build, the element and both values; everything else that fails
// throws spl::Error out of the test.
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

/// A file of kernels, with words of it replaced: {"integers.spl", {{"i32", "u8"}}} is the same
/// kernels for another type.
struct Source {
  std::string file; ///< in test/e2e/Inputs, or an absolute path
  std::vector<std::pair<std::string, std::string>> replacements = {};
  std::string contents = {}; ///< where a test wrote it; the file is then only a name

  std::string path() const;
  std::string text() const;
};

/// The elements of a bool slice, one byte each; a std::vector<bool> holds bits.
struct Bools {
  std::vector<unsigned char> &bytes;
};

/// A vector as a row-major array of that shape: Shaped(values, {rows, columns}).
template <class T> struct Shaped {
  Shaped(T &values, const Shape &shape) : values(values), shape(shape) {}
  T &values;
  Shape shape;
};

/// From nothing over one, a vector's width and a group, each missed by one, to a prime above a
/// million.
inline const std::size_t sizes[] = {0, 1, 31, 33, 1023, 1025, 1000003};
/// Those of them that an interpreter runs in no time.
inline const std::span<const std::size_t> smallSizes(sizes, std::size(sizes) - 1);

/// PTX in place of the CPU's code, and how it is run.
struct PtxBuild {
  std::string text;
  int device = 0; ///< each build has its own: a fault ends the device's context
  std::optional<std::uint64_t> seed;
};

/// One compilation of a Source, loaded.
class Build {
public:
  /// On a context that outlives it.
  Build(const Context &context, Module module)
      : opened(&context, [](const Context *) {}), module(std::move(module)) {}
  explicit Build(PtxBuild ptx);

  /// Whether faults have no place, and end the context that the launch was in.
  bool isPtx() const { return ptx.has_value(); }
  /// As new after a fault of PTX, which ends the one it was in.
  const Context &context() const;

  /// What to try: a million elements too where that takes no time.
  std::span<const std::size_t> sizes() const {
    return isPtx() ? smallSizes : std::span<const std::size_t>(e2e::sizes);
  }

  /// Launches a kernel. A const vector is a read-only slice, another vector is sent, and holds what
  /// the kernel left in it afterwards; everything else is a value.
  template <class... Args>
  void run(const std::string &kernel, const LaunchConfig &config, Args &&...args) const {
    std::vector<Buffer> buffers;
    buffers.reserve(sizeof...(args)); // the arguments point into it
    std::vector<Argument> arguments;
    context(); // opened before a launch without arrays too
    (add(buffers, arguments, args), ...);
    guarded([&] {
      opened->launch((*module)[kernel], config, arguments);
      std::size_t next = 0;
      (fetch(buffers, next, args), ...);
      opened->sync();
    });
  }

  /// Launches on buffers, which keep what the kernel left even where it fails.
  template <class... Args>
  void launch(const std::string &kernel, const LaunchConfig &config, Args &&...args) const {
    context();
    guarded([&] {
      opened->launch((*module)[kernel], config, args...);
      opened->sync();
    });
  }

  /// The condition of the launch contract that such a launch does not meet, or nothing.
  template <class... Args>
  std::string unmetCondition(const std::string &kernel, const LaunchConfig &config,
                             Args &&...args) const {
    context();
    return std::string(opened->unmetCondition((*module)[kernel], config, args...));
  }

private:
  /// Runs what launches, and notes whether that ends the context.
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
  mutable bool isLost = false; ///< by a fault
};

/// The CPU, opened once.
const Context &cpu();

/// Every combination of -O0, -O2, -O3 with and without checks.
std::vector<jit::Options> everyOption();
/// Those that differ most: -O0 with all checks and -O3 with none, for what costs long to try.
std::vector<jit::Options> extremeOptions();
/// The same for instances of generic kernels: "scale[f32]".
std::vector<jit::Options> extremeOptions(const std::vector<std::string> &instances);

/// Runs \p test on the source compiled with each of the options, for the CPU, perhaps another CPU
/// than the host that it runs, and as PTX.
void forEachBuild(const Source &source, const std::vector<jit::Options> &options,
                  const std::function<void(const Build &)> &test, const char *otherCpu = nullptr);

//===-- Inputs --===//

/// The values at which arithmetic on T changes its ways.
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

/// Any bits at all, as a T: floats of every exponent, subnormals and NaN among them.
template <class T> T randomBits(std::mt19937_64 &generator) {
  const std::uint64_t bits = generator();
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// n values: the special ones and random ones by turns; never all zeros, other ones for each seed.
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

/// Two operands each: every pair of special values first, then random ones.
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

/// Floats whose products and sums are neither special nor exact.
template <class T> std::vector<T> plainFloats(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<T> uniform(T(-8), T(8));
  std::vector<T> values(n);
  for (T &value : values)
    value = uniform(generator);
  return values;
}

//===-- Results --===//

/// Whether T is f16 or bf16, which convert to float exactly.
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

/// The same bits; any NaN is any NaN.
template <class T> bool isSame(T a, T b) {
  if constexpr (isHalf<T>)
    return isSame(static_cast<float>(a), static_cast<float>(b));
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Compares with expected(i) for every element; reports the first difference and how many there
/// are.
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

/// Compares every field of records of \p width results: field(i, k) is result k of element i.
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

/// The types of the language by name, for a generic lambda: f(T{}, "i32").
template <class F> void forEachInteger(F &&f) {
  f(std::int8_t{}, "i8"), f(std::int16_t{}, "i16"), f(std::int32_t{}, "i32");
  f(std::int64_t{}, "i64"), f(std::uint8_t{}, "u8"), f(std::uint16_t{}, "u16");
  f(std::uint32_t{}, "u32"), f(std::uint64_t{}, "u64");
}
template <class F> void forEachFloat(F &&f) { f(float{}, "f32"), f(double{}, "f64"); }

} // namespace spl::e2e

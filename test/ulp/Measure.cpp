// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ulp/Measure.h"
#include "driver/Compilation.h"
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <spl/jit.h>
#include <sstream>
#include <stdexcept>
#include <type_traits>

namespace spl::ulp {
namespace {

template <class T> using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
template <class T> using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

constexpr std::uint64_t chunk = 1 << 20;

template <class T> std::string source() {
  std::ifstream stream(SPL_E2E_FOLDER "/elementary.spl");
  std::stringstream contents;
  contents << stream.rdbuf();
  std::string text = contents.str();
  if (sizeof(T) == 8)
    for (std::size_t at = 0; (at = text.find("f32", at)) != std::string::npos;)
      text.replace(at, 3, "f64");
  return text;
}

template <class T> const std::vector<T> &specialValues() {
  using Limits = std::numeric_limits<T>;
  static const std::vector<T> values = [] {
    std::vector<T> all = {Limits::quiet_NaN()};
    for (T value : {T(0),
                    T(1),
                    T(2),
                    T(3),
                    T(0.5),
                    T(1.5),
                    T(10),
                    T(100),
                    T(1e10),
                    T(1e30),
                    Limits::denorm_min(),
                    Limits::min(),
                    Limits::min() / 2 * 3,
                    Limits::max(),
                    Limits::epsilon(),
                    1 + Limits::epsilon(),
                    1 - Limits::epsilon() / 2,
                    std::sqrt(Limits::max()),
                    T(88.7228),
                    T(88.9),
                    T(104),
                    T(709.7827),
                    T(710.4),
                    T(745.1),
                    T(35.04),
                    T(171.6243),
                    T(1.5707964),
                    T(3.1415927),
                    T(16777217),
                    Limits::infinity()}) {
      all.push_back(value);
      all.push_back(-value);
    }
    return all;
  }();
  return values;
}

/// In turn: random bits, a value from -8 to 8, a magnitude from 2^-20 to 2^20, and a value from
/// -1000 to 1000.
template <class T> T anyValue(std::mt19937_64 &random, std::uint64_t turn) {
  const std::uint64_t bits = random();
  const double unit = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
  switch (turn % 4) {
  case 0:
    return std::bit_cast<T>(static_cast<Bits<T>>(bits));
  case 1:
    return T(unit * 8);
  case 2:
    return T(std::copysign(std::exp2(std::fabs(unit) * 40 - 20), unit));
  default:
    return T(unit * 1000);
  }
}

/// Whether the error may exceed the largest one so far. Only then it is measured with MPFR.
template <class T> bool mayBeWorse(T got, Wide<T> want, const Worst &worst) {
  using Limits = std::numeric_limits<T>;
  const T right = static_cast<T>(want);
  if (std::bit_cast<Bits<T>>(got) == std::bit_cast<Bits<T>>(right))
    return false; // at most half a unit
  if (std::isnan(got) && std::isnan(right))
    return false;
  if (!std::isfinite(got) || !std::isfinite(right) || right == 0)
    return true;
  const int exponent = std::max(std::ilogb(right) + 1, Limits::min_exponent);
  const Wide<T> error = std::ldexp(got - want, Limits::digits - exponent);
  return std::fabs(error) > Wide<T>(worst.error.ulps) * Wide<T>(1.0001L);
}

template <class T> Module load(const Context &context, Library library) {
  if (library == Library::Host)
    return jit::loadSource(context, source<T>(), "elementary.spl");
  driver::CompileOptions options;
  options.codegen.own.set("math-library", library == Library::Libdevice ? "libdevice" : "libclc");
  driver::Compilation compilation(options);
  llvm::SmallVector<char, 0> ptx;
  if (!compilation.setText("elementary.spl", source<T>()) || !compilation.emit("ptx", ptx))
    throw std::runtime_error("the kernels do not compile to PTX");
  return Module::load(context, std::string(ptx.begin(), ptx.end()));
}

} // namespace

template <class T>
Kernels<T>::Kernels(const Context &context, Library library)
    : context(context), module(load<T>(context, library)) {}

template <class T>
std::vector<T> Kernels<T>::results(std::size_t function, const Operands &operands) const {
  const auto &[x, y] = operands;
  const LaunchConfig config{.global = {static_cast<std::int64_t>(x.size())}};
  auto a = context.allocUpload<T>(x);
  auto out = context.alloc<T>(x.size());
  const Kernel kernel = module[functions()[function].name];
  if (y.empty()) {
    context.launch(kernel, config, a, out);
  } else {
    auto b = context.allocUpload<T>(y);
    context.launch(kernel, config, a, b, out);
  }
  return out.download();
}

template <class T>
void Kernels<T>::measure(std::size_t function, const Operands &operands, Worst &worst) const {
  const auto &[x, y] = operands;
  const std::vector<T> got = results(function, operands);
  std::vector<Wide<T>> want(x.size());
  compute(function, std::span<const T>(x), std::span<const T>(y), std::span<Wide<T>>(want));
  for (std::size_t i = 0; i != x.size(); ++i) {
    if (!mayBeWorse(got[i], want[i], worst))
      continue;
    const T second = y.empty() ? T(0) : y[i];
    const Error error = exactError(function, x[i], second, got[i]);
    if (error.distance > worst.error.distance ||
        (error.distance == worst.error.distance && error.ulps > worst.error.ulps))
      worst = {error, double(x[i]), double(second), worst.values};
  }
  worst.values += x.size();
}

template <class T>
Kernels<T>::Operands Kernels<T>::sample(std::size_t function, std::mt19937_64 &random,
                                        std::uint64_t first, std::uint64_t end) {
  const std::vector<T> &special = specialValues<T>();
  const bool hasTwo = functions()[function].operands == 2;
  const std::uint64_t specials = special.size() * (hasTwo ? special.size() : 1);
  Operands operands;
  for (std::uint64_t i = first; i != end; ++i) {
    const bool isSpecial = i < specials;
    operands.x.push_back(isSpecial ? special[i % special.size()] : anyValue<T>(random, i));
    if (hasTwo)
      operands.y.push_back(isSpecial ? special[i / special.size()] : anyValue<T>(random, i / 4));
  }
  return operands;
}

template <class T> Worst Kernels<T>::onSample(std::size_t function, std::uint64_t count) const {
  std::mt19937_64 random(function + 1);
  Worst worst;
  for (std::uint64_t first = 0; first < count; first += chunk)
    measure(function, sample(function, random, first, std::min(count, first + chunk)), worst);
  return worst;
}

template <class T>
std::vector<T> Kernels<T>::resultsOfSample(std::size_t function, std::uint64_t count) const {
  std::mt19937_64 random(function + 1);
  return results(function, sample(function, random, 0, count));
}

template <class T> Worst Kernels<T>::onEveryValue(std::size_t function) const {
  Worst worst;
  Operands operands{std::vector<T>(chunk), {}};
  for (std::uint64_t first = 0; first < std::uint64_t(1) << 32; first += chunk) {
    for (std::uint64_t i = 0; i != chunk; ++i)
      operands.x[i] = std::bit_cast<T>(static_cast<Bits<T>>(first + i));
    measure(function, operands, worst);
  }
  return worst;
}

template class Kernels<float>;
template class Kernels<double>;

} // namespace spl::ulp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Random.h"
#include "cli/Failure.h"
#include "cli/HostArray.h"
#include "cli/Numbers.h"
#include <cmath>
#include <cstring>
#include <type_traits>

namespace spl::cli {
namespace {

template <class T> double asDouble(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value)); // 16 bits
}

template <class T> bool isBelow(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a < b;
  else
    return asDouble(a) < asDouble(b);
}

template <class T> T read(const std::byte *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// A number in [0, 1) from as many top bits of the generator as a significand of \p digits has.
double fraction(std::mt19937_64 &generator, int digits) {
  return std::ldexp(static_cast<double>(generator() >> (64 - digits)), -digits);
}

template <class T> T numberIn(std::mt19937_64 &generator, T low, T high) {
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return static_cast<T>(static_cast<std::uint64_t>(low) + generator() % count);
  } else {
    const double first = asDouble(low), size = asDouble(high) - first;
    for (;;) // the conversion to T may round up to the end
      if (const T value = static_cast<T>(first + size * fraction(generator, digitsOf<double>));
          isBelow(value, high))
        return value;
  }
}

template <class T> T anyNumber(std::mt19937_64 &generator) {
  if constexpr (std::is_same_v<T, bool>)
    return generator() >> 63 != 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(generator());
  else
    return static_cast<T>(fraction(generator, digitsOf<T>));
}

} // namespace

RandomNumber::RandomNumber(const ElementType &type, std::string_view range)
    : type(type), hasRange(!range.empty()) {
  if (!hasRange)
    return;
  const std::string text(range);
  const std::size_t dots = range.find("..");
  if (dots == range.npos)
    throw Failure(WrongUsage, "'" + text + "' is not a range; a range is LOW..HIGH");
  if (!type.isScalar() || type.scalar() == ScalarType::Bool)
    throw Failure(WrongUsage, "'" + text + "' is a range of numbers, which " + type.str() +
                                  " does not have; leave it out");
  parseNumber(range.substr(0, dots), type.scalar(), low);
  parseNumber(range.substr(dots + 2), type.scalar(), high);
  withScalar(type.scalar(), [&](auto zero) {
    using T = decltype(zero);
    const T first = read<T>(low), end = read<T>(high);
    if (!isBelow(first, end))
      throw Failure(WrongUsage, "'" + text + "' is an empty range; LOW must be below HIGH");
    if (!std::isfinite(asDouble(end) - asDouble(first)))
      throw Failure(WrongUsage, "'" + text + "' is too large for a range");
  });
}

void RandomNumber::make(std::mt19937_64 &generator, std::byte *target) const {
  if (!type.isScalar()) {
    const std::int32_t value = type.members()[generator() % type.members().size()].value;
    std::memcpy(target, &value, sizeof value);
    return;
  }
  withScalar(type.scalar(), [&](auto zero) {
    using T = decltype(zero);
    const T value =
        hasRange ? numberIn<T>(generator, read<T>(low), read<T>(high)) : anyNumber<T>(generator);
    std::memcpy(target, &value, sizeof value);
  });
}

} // namespace spl::cli

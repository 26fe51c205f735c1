// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Random.h"
#include "cli/Failure.h"
#include "cli/HostArray.h"
#include "cli/Numbers.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
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

/// A number below \p count, or any number if count is 0. All are equally likely: the first 2^64 %
/// count numbers of the generator are skipped, since some remainders would else occur more often.
std::uint64_t below(std::mt19937_64 &generator, std::uint64_t count) {
  if (count == 0)
    return generator();
  const std::uint64_t leftOut = (0 - count) % count; // 2^64 % count
  for (;;)
    if (const std::uint64_t number = generator(); number >= leftOut)
      return number % count;
}

/// A number from \p low to below \p high, or to \p high for integers if it is included.
template <class T> T numberIn(std::mt19937_64 &generator, T low, T high, bool isInclusive) {
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t first = static_cast<std::uint64_t>(low);
    const std::uint64_t count = static_cast<std::uint64_t>(high) - first + isInclusive;
    return static_cast<T>(first + below(generator, count));
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
  const auto refuse = [&](const std::string &why) {
    throw Failure(WrongUsage, "'" + std::string(range) + "' " + why);
  };
  const std::size_t dots = range.find("..");
  if (dots == range.npos)
    refuse("is not a range; a range is LOW..HIGH");
  if (!type.isScalar() || type.scalar() == ScalarType::Bool)
    refuse("is a range of numbers, which " + type.str() +
           " does not have; 'random:SEED' alone makes any of its values");
  std::string_view end = range.substr(dots + 2);
  isInclusive = end.starts_with('=');
  if (isInclusive)
    end.remove_prefix(1);
  if (isInclusive && isFloat(type.scalar()))
    refuse("includes HIGH, which only a range of integers does; write LOW..HIGH");
  const std::string_view first = trimmed(range.substr(0, dots)), last = trimmed(end);
  if (first.empty() || last.empty())
    refuse(std::string("lacks ") + (first.empty() ? "LOW" : "HIGH") + "; a range is LOW..HIGH");
  parseNumber(first, type.scalar(), low);
  try {
    parseNumber(last, type.scalar(), high);
  } catch (const Failure &failure) {
    const bool isLimit = !isInclusive && !isFloat(type.scalar());
    throw Failure(failure.status,
                  std::string(failure.what()) + (isLimit ? "; LOW..=HIGH includes HIGH" : ""));
  }
  withScalar(type.scalar(), [&](auto zero) {
    using T = decltype(zero);
    const T least = read<T>(low), most = read<T>(high);
    if (!std::isfinite(asDouble(least)) || !std::isfinite(asDouble(most)))
      refuse("is not a range; LOW and HIGH must be finite");
    if (!isBelow(least, most) && !(isInclusive && !isBelow(most, least)))
      refuse(isInclusive ? "is an empty range; LOW must not be above HIGH"
                         : "is an empty range; LOW must be below HIGH");
    if (!std::isfinite(asDouble(most) - asDouble(least)))
      refuse("is too large for a range");
  });
}

void RandomNumber::make(std::mt19937_64 &generator, std::byte *target) const {
  if (!type.isScalar()) {
    const std::int32_t value = type.members()[below(generator, type.members().size())].value;
    std::memcpy(target, &value, sizeof value);
    return;
  }
  withScalar(type.scalar(), [&](auto zero) {
    using T = decltype(zero);
    const T value = hasRange ? numberIn<T>(generator, read<T>(low), read<T>(high), isInclusive)
                             : anyNumber<T>(generator);
    std::memcpy(target, &value, sizeof value);
  });
}

} // namespace spl::cli

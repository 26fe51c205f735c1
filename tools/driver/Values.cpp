// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Values.h"
#include "tools/driver/Failure.h"
#include "tools/driver/Npy.h"
#include "tools/driver/Numbers.h"
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string_view>
#include <type_traits>

namespace spl::driver {
namespace {

[[noreturn]] void wrong(const std::string &message) { throw Failure(WrongUsage, message); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0;;) {
    const std::size_t at = text.find(separator, start);
    parts.push_back(text.substr(start, at == text.npos ? at : at - start));
    if (at == text.npos)
      return parts;
    start = at + 1;
  }
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

template <class Int> Int wholeNumber(std::string_view text, const std::string &what) {
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
    wrong("'" + std::string(text) + "' is not a " + what);
  return value;
}

HostArray listOf(std::string_view text, ScalarType element) {
  const std::vector<std::string_view> items = split(text, ',');
  HostArray array{element, {static_cast<std::int64_t>(items.size())}, {}};
  array.bytes.resize(items.size() * sizeOf(element));
  for (std::size_t i = 0; i != items.size(); ++i)
    parseNumber(trimmed(items[i]), element, array.at(static_cast<std::int64_t>(i)));
  return array;
}

// value(i) for every element.
template <class F> void generate(HostArray &array, F &&value) {
  withScalar(array.element, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i != array.size(); ++i) {
      const T element = value(zero, i);
      std::memcpy(array.at(i), &element, sizeof element);
    }
  });
}

void fillIota(HostArray &array) {
  if (array.element == ScalarType::Bool)
    wrong("iota counts; it cannot fill an array of bool");
  generate(array, [](auto zero, std::int64_t i) { return static_cast<decltype(zero)>(i); });
}

// Uniform in [0, 1): the top bits of the generator, as many as the type's significand holds.
void fillRandom(HostArray &array, std::string_view seedText) {
  if (array.element != ScalarType::F32 && array.element != ScalarType::F64)
    wrong("random numbers are in [0, 1); they fill f32 and f64, not " +
          std::string(toString(array.element)));
  std::mt19937_64 generator(wholeNumber<std::uint64_t>(seedText, "seed"));
  generate(array, [&](auto zero, std::int64_t) {
    using T = decltype(zero);
    if constexpr (!std::is_floating_point_v<T>) {
      return zero; // refused above
    } else {
      constexpr int digits = std::numeric_limits<T>::digits;
      return static_cast<T>(generator() >> (64 - digits)) /
             static_cast<T>(std::uint64_t(1) << digits);
    }
  });
}

void fillWith(HostArray &array, std::string_view fill) {
  if (fill == "iota")
    return fillIota(array);
  if (fill.starts_with("random:"))
    return fillRandom(array, fill.substr(7));
  std::byte one[8];
  parseNumber(fill, array.element, one);
  const std::size_t size = sizeOf(array.element);
  for (std::int64_t i = 0; i != array.size(); ++i)
    std::memcpy(array.at(i), one, size);
}

// f32[64,64] or f32[64,64]=FILL; nothing if the text does not start like one.
std::optional<HostArray> shapeWithFill(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == text.npos)
    return std::nullopt;
  const std::optional<ScalarType> element = scalarTypeNamed(text.substr(0, open));
  if (!element)
    wrong("'" + std::string(text.substr(0, open)) + "' is not an element type");
  const std::size_t close = text.find(']', open);
  if (close == text.npos)
    wrong("'" + std::string(text) + "' lacks a closing ']'");
  HostArray array{*element, {}, {}};
  std::size_t bytes = sizeOf(*element);
  for (std::string_view extent : split(text.substr(open + 1, close - open - 1), ',')) {
    array.shape.push_back(wholeNumber<std::int64_t>(trimmed(extent), "length"));
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(array.shape.back()), &bytes) ||
        bytes > std::size_t(1) << 48)
      wrong("'" + std::string(text) + "' is larger than any memory");
  }
  array.bytes.resize(bytes);
  const std::string_view rest = text.substr(close + 1);
  if (rest.starts_with('='))
    fillWith(array, rest.substr(1));
  else if (!rest.empty())
    wrong("after ']' comes '=' and a fill, not '" + std::string(rest) + "'");
  return array;
}

void requireFit(const HostArray &array, const Parameter &parameter, const std::string &source) {
  const int rank = static_cast<int>(array.shape.size());
  if (array.element != parameter.type.element || rank != parameter.type.rank)
    throw Failure(Failed, "parameter '" + parameter.name + "' is " + parameter.type.str() + "; " +
                              source + " holds " + std::string(toString(array.element)) +
                              " of rank " + std::to_string(rank));
}

} // namespace

Value parseValue(const std::string &text, const Parameter &parameter) {
  if (!parameter.type.isSlice()) {
    ScalarValue scalar{parameter.type.element, 0};
    parseNumber(text, scalar.type, reinterpret_cast<std::byte *>(&scalar.bits));
    return scalar;
  }
  if (text.starts_with('='))
    return SameAs{text.substr(1)};
  HostArray array;
  if (text.starts_with('@'))
    array = readNpy(text.substr(1));
  else if (std::optional<HostArray> filled = shapeWithFill(text))
    array = std::move(*filled);
  else
    array = listOf(text, parameter.type.element);
  requireFit(array, parameter, "'" + text + "'");
  return array;
}

HostArray parseBuffer(const std::string &text) {
  if (text.starts_with('@'))
    return readNpy(text.substr(1));
  if (std::optional<HostArray> filled = shapeWithFill(text))
    return std::move(*filled);
  wrong("'" + text + "' is neither a file (@x.npy) nor a shape with a fill (f32[1024]=1.5)");
}

} // namespace spl::driver

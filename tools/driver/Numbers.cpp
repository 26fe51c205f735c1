// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Numbers.h"
#include "tools/driver/Failure.h"
#include "tools/driver/HostArray.h"
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace spl::driver {
namespace {

[[noreturn]] void refuse(std::string_view text, ScalarType type, const char *why) {
  throw Failure(WrongUsage,
                "'" + std::string(text) + "' " + why + " " + std::string(toString(type)));
}

bool parseBool(std::string_view text, ScalarType type) {
  if (text == "true" || text == "1")
    return true;
  if (text == "false" || text == "0")
    return false;
  refuse(text, type, "is not a value of");
}

// The sign is handled here because from_chars takes it only right before decimal digits.
template <class Int> Int parseInt(std::string_view text, ScalarType type) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+'))
    digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    base = 16;
  else if (digits.starts_with("0b") || digits.starts_with("0B"))
    base = 2;
  if (base != 10)
    digits.remove_prefix(2);

  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    refuse(text, type, "is not a value of");
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<Int>::max());
  const std::uint64_t limit = !negative ? largest : std::is_signed_v<Int> ? largest + 1 : 0;
  if (error == std::errc::result_out_of_range || magnitude > limit)
    refuse(text, type, "is out of range for");
  return static_cast<Int>(negative ? 0 - magnitude : magnitude);
}

template <class Float> Float parseFloat(std::string_view text, ScalarType type) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+'))
    digits.remove_prefix(1);
  for (std::string_view prefix : {"0x", "0X", "0b", "0B"})
    if (digits.starts_with(prefix)) {
      const auto whole = static_cast<Float>(parseInt<std::uint64_t>(digits, type));
      return negative ? -whole : whole;
    }
  Float value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || digits.starts_with('-') || end != digits.data() + digits.size() ||
      error == std::errc::invalid_argument) // from_chars would take a second sign
    refuse(text, type, "is not a value of");
  if (error == std::errc::result_out_of_range) {
    // Too small rounds to a subnormal or zero, as every reader of floats does; too large is refused.
    value = static_cast<Float>(std::strtod(std::string(digits).c_str(), nullptr));
    if (std::isinf(value))
      refuse(text, type, "is out of range for");
  }
  return negative ? -value : value;
}

} // namespace

void parseNumber(std::string_view text, ScalarType type, std::byte *target) {
  withScalar(type, [&](auto zero) {
    using T = decltype(zero);
    T value{};
    if constexpr (std::is_same_v<T, bool>)
      value = parseBool(text, type);
    else if constexpr (std::is_floating_point_v<T>)
      value = parseFloat<T>(text, type);
    else
      value = parseInt<T>(text, type);
    std::memcpy(target, &value, sizeof value);
  });
}

std::string formatNumber(ScalarType type, const std::byte *source) {
  return withScalar(type, [&](auto zero) -> std::string {
    using T = decltype(zero);
    T value{};
    std::memcpy(&value, source, sizeof value);
    if constexpr (std::is_same_v<T, bool>)
      return value ? "true" : "false";
    else {
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(value))
          return "nan"; // its sign says nothing
      char text[64];
      const auto [end, error] = std::to_chars(text, text + sizeof text, value);
      return std::string(text, end);
    }
  });
}

} // namespace spl::driver

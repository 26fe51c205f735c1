// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Numbers.h"
#include "cli/Failure.h"
#include "cli/HostArray.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace spl::cli {
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
  throw Failure(WrongUsage,
                "'" + std::string(text) + "' is not a value of bool; write true or false");
}

// Parses the sign, because from_chars accepts it only before decimal digits.
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
  if (digits.empty() || end != digits.data() + digits.size() ||
      error == std::errc::invalid_argument)
    refuse(text, type, "is not a value of");
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<Int>::max());
  const std::uint64_t limit = !negative ? largest : std::is_signed_v<Int> ? largest + 1 : 0;
  if (error == std::errc::result_out_of_range || magnitude > limit)
    refuse(text, type, "is out of range for");
  return static_cast<Int>(negative ? 0 - magnitude : magnitude);
}

// from_chars for f16 and bf16: rounds once, from the digits.
std::from_chars_result readHalf(std::string_view text, const llvm::fltSemantics &semantics,
                                std::uint16_t &bits) {
  double approximate = 0; // finds the end of the number
  std::from_chars_result result =
      std::from_chars(text.data(), text.data() + text.size(), approximate);
  if (result.ec == std::errc::invalid_argument)
    return result;
  llvm::APFloat exact(semantics);
  if (result.ec == std::errc() && !std::isfinite(approximate)) {
    exact = std::isnan(approximate) ? llvm::APFloat::getNaN(semantics)
                                    : llvm::APFloat::getInf(semantics);
  } else {
    const llvm::StringRef digits(text.data(), static_cast<std::size_t>(result.ptr - text.data()));
    llvm::cantFail(exact.convertFromString(digits, llvm::APFloat::rmNearestTiesToEven).takeError());
    result.ec = exact.isInfinity() ? std::errc::result_out_of_range : std::errc();
  }
  bits = static_cast<std::uint16_t>(exact.bitcastToAPInt().getZExtValue());
  return result;
}

std::from_chars_result readFloat(std::string_view text, f16 &value) {
  return readHalf(text, llvm::APFloat::IEEEhalf(), value.bits);
}
std::from_chars_result readFloat(std::string_view text, bf16 &value) {
  return readHalf(text, llvm::APFloat::BFloat(), value.bits);
}
template <class Float> std::from_chars_result readFloat(std::string_view text, Float &value) {
  std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    // A number that is too small is rounded to a subnormal or zero. One that is too large remains
    // an error.
    value = static_cast<Float>(std::strtod(std::string(text).c_str(), nullptr));
    if (!std::isinf(value))
      result.ec = std::errc();
  }
  return result;
}

f16 negated(f16 value) { return value.bits ^= 0x8000, value; }
bf16 negated(bf16 value) { return value.bits ^= 0x8000, value; }
template <class Float> Float negated(Float value) { return -value; }

template <class Float> Float parseFloat(std::string_view text, ScalarType type) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+'))
    digits.remove_prefix(1);
  Float value{};
  for (std::string_view prefix : {"0x", "0X", "0b", "0B"})
    if (digits.starts_with(prefix)) {
      const auto whole = parseInt<std::uint64_t>(digits, type);
      if constexpr (std::is_floating_point_v<Float>)
        value = static_cast<Float>(whole);
      else // in decimal, because a conversion through double would round twice
        value = parseFloat<Float>(std::to_string(whole), type);
      return negative ? negated(value) : value;
    }
  const auto [end, error] = readFloat(digits, value);
  if (digits.empty() || digits.starts_with('-') || error == std::errc::invalid_argument ||
      end != digits.data() + digits.size()) // from_chars would accept a second sign
    refuse(text, type, "is not a value of");
  if (error == std::errc::result_out_of_range)
    refuse(text, type, "is out of range for");
  return negative ? negated(value) : value;
}

template <class T> std::string shortest(T value) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

} // namespace

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

void parseNumber(std::string_view text, ScalarType type, std::byte *target) {
  withScalar(type, [&](auto zero) {
    using T = decltype(zero);
    T value{};
    if constexpr (std::is_same_v<T, bool>)
      value = parseBool(text, type);
    else if constexpr (std::is_integral_v<T>)
      value = parseInt<T>(text, type);
    else
      value = parseFloat<T>(text, type);
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
    else if constexpr (std::is_integral_v<T>)
      return shortest(value);
    else if (std::isnan(static_cast<float>(value)))
      return "nan"; // the sign of NaN has no meaning
    else if constexpr (std::is_floating_point_v<T>)
      return shortest(value);
    else
      return toString(value);
  });
}

bool isFloat(ScalarType type) {
  return withScalar(type, [](auto zero) { return !std::is_integral_v<decltype(zero)>; });
}

} // namespace spl::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/PrintFormat.h"

#include "spl/Half.h"
#include "spl/abi/PrintKind.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace spl::detail {

namespace {

template <class T> void appendFloat(std::string &text, T value, int precision) {
  if (std::isnan(value)) {
    text += "nan"; // without a sign
    return;
  }
  char digits[512]; // 309 before the point and 100 after it
  const std::to_chars_result end = precision < 0
                                       ? std::to_chars(digits, digits + sizeof digits, value)
                                       : std::to_chars(digits, digits + sizeof digits, value,
                                                       std::chars_format::fixed, precision);
  text.append(digits, end.ptr);
}

template <class Half> void appendHalf(std::string &text, std::uint64_t bits, int precision) {
  Half half;
  half.bits = static_cast<std::uint16_t>(bits);
  if (precision < 0)
    text += toString(half);
  else
    appendFloat(text, static_cast<float>(half), precision);
}

void appendValue(std::string &text, abi::PrintKind kind, int precision, std::uint64_t bits) {
  using abi::PrintKind;
  switch (kind) {
  case PrintKind::Signed:
    text += std::to_string(static_cast<std::int64_t>(bits));
    return;
  case PrintKind::Unsigned:
    text += std::to_string(bits);
    return;
  case PrintKind::Bool:
    text += bits ? "true" : "false";
    return;
  case PrintKind::F16:
    return appendHalf<f16>(text, bits, precision);
  case PrintKind::BF16:
    return appendHalf<bf16>(text, bits, precision);
  case PrintKind::F32:
    return appendFloat(text, std::bit_cast<float>(static_cast<std::uint32_t>(bits)), precision);
  case PrintKind::F64:
    return appendFloat(text, std::bit_cast<double>(bits), precision);
  }
  text += '?'; // a letter that only a newer compiler knows
}

} // namespace

std::string printed(std::string_view format, std::span<const std::uint64_t> values) {
  std::string text;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '\1' || at + 2 >= format.size()) {
      text += format[at];
      continue;
    }
    const char kind = format[at + 1];
    const int precision = static_cast<unsigned char>(format[at + 2]) - 1;
    at += 2;
    if (kind == '\1') {
      text += kind;
    } else if (values.empty()) {
      text += '?';
    } else {
      appendValue(text, abi::PrintKind(kind), precision, values.front());
      values = values.subspan(1);
    }
  }
  return text;
}

std::string printedMessage(std::string_view format, std::span<const std::uint64_t> values) {
  constexpr std::string_view more = "...";
  std::string text = printed(format, values);
  if (text.size() <= maxMessage)
    return text;
  std::size_t kept = maxMessage - more.size();
  while (kept != 0 && (text[kept] & 0xc0) == 0x80) // within a character of UTF-8
    --kept;
  return text.substr(0, kept).append(more);
}

} // namespace spl::detail

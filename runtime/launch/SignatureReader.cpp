// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/SignatureReader.h"

#include "runtime/system/Names.h"
#include "spl/Error.h"

#include <charconv>

namespace spl::detail {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isWordByte(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && isDigit(c));
}

void SignatureReader::skipSpace() {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
}

std::size_t SignatureReader::position() {
  skipSpace();
  return at;
}

bool SignatureReader::isAtDigit() {
  skipSpace();
  return at < text.size() && isDigit(text[at]);
}

std::string SignatureReader::identifier() {
  const std::size_t begin = position();
  while (at < text.size() && isWordByte(text[at], at == begin))
    ++at;
  if (at == begin)
    fail("a name");
  return std::string(text.substr(begin, at - begin));
}

std::int64_t SignatureReader::number(std::int64_t min, std::int64_t max) {
  skipSpace();
  std::int64_t value = 0;
  const char *const begin = text.data() + at, *const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || value < min || value > max)
    fail("a number from " + std::to_string(min) + " to " + std::to_string(max));
  at += static_cast<std::size_t>(next - begin);
  return value;
}

bool SignatureReader::take(std::string_view token) {
  skipSpace();
  if (!text.substr(at).starts_with(token))
    return false;
  at += token.size();
  return true;
}

bool SignatureReader::takeWord(std::string_view word) {
  const std::size_t begin = position();
  if (take(word) && (at == text.size() || !isWordByte(text[at], false)))
    return true;
  at = begin;
  return false;
}

void SignatureReader::expect(std::string_view token) {
  if (!take(token))
    fail("'" + std::string(token) + "'");
}

void SignatureReader::end() {
  skipSpace();
  if (at < text.size())
    fail("the end");
}

void SignatureReader::fail(const std::string &expected) const {
  throw Error({.code = ErrorCode::InvalidImage,
               .message = "the kernel signature " + quoted(text) + " is malformed: " + expected +
                          " was expected at column " + std::to_string(at + 1)});
}

} // namespace spl::detail

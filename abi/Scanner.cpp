// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/Scanner.h"

#include <charconv>
#include <limits>

namespace spl::abi {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isWordByte(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && isDigit(c));
}

void Scanner::skipSpace() {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
}

std::size_t Scanner::position() {
  skipSpace();
  return at;
}

bool Scanner::isAtDigit() {
  skipSpace();
  return at < text.size() && isDigit(text[at]);
}

std::string Scanner::identifier() {
  const std::size_t begin = position();
  while (at < text.size() && isWordByte(text[at], at == begin))
    ++at;
  if (at == begin)
    fail("a name"); // returns no letters
  return std::string(text.substr(begin, at - begin));
}

std::string Scanner::nameWithArguments() {
  std::string name = identifier();
  const std::size_t begin = at;
  int depth = 0;
  while (at < text.size() && (depth > 0 || text[at] == '[')) {
    depth += (text[at] == '[') - (text[at] == ']');
    ++at;
  }
  if (depth > 0)
    fail("']'");
  return name.append(text.substr(begin, at - begin));
}

bool Scanner::takePart(std::string &name) {
  if (take(".")) {
    name += "." + identifier();
    return true;
  }
  if (!take("["))
    return false;
  name += "[" + std::to_string(number(0, std::numeric_limits<std::int32_t>::max())) + "]";
  expect("]");
  return true;
}

std::int64_t Scanner::number(std::int64_t min, std::int64_t max) {
  skipSpace();
  std::int64_t value = 0;
  const char *const begin = text.data() + at, *const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || value < min || value > max) {
    fail("a number from " + std::to_string(min) + " to " + std::to_string(max));
    return min;
  }
  at += static_cast<std::size_t>(next - begin);
  return value;
}

bool Scanner::take(std::string_view token) {
  skipSpace();
  if (!text.substr(at).starts_with(token))
    return false;
  at += token.size();
  return true;
}

bool Scanner::takeWord(std::string_view word) {
  const std::size_t begin = position();
  if (take(word) && (at == text.size() || !isWordByte(text[at], false)))
    return true;
  at = begin;
  return false;
}

void Scanner::expect(std::string_view token) {
  if (!take(token))
    fail("'" + std::string(token) + "'");
}

void Scanner::end() {
  skipSpace();
  if (at < text.size())
    fail("the end");
}

void Scanner::fail(const std::string &expected) {
  if (first)
    return;
  first = SyntaxError{expected, at + 1};
  text = text.substr(0, at);
}

void Scanner::failAt(std::size_t position, const std::string &expected) {
  if (first)
    return;
  goTo(position);
  fail(expected);
}

} // namespace spl::abi

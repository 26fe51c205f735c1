// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/JsonText.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace spl::cli {
namespace {

// The position after the string that starts at the quote.
std::size_t endOfString(llvm::StringRef json, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < json.size() && json[at] != '"')
    at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size());
}

// "line:column" from 1. Columns count bytes.
std::string placeOf(llvm::StringRef json, std::size_t at) {
  const llvm::StringRef before = json.take_front(at);
  const std::size_t lineBreak = before.rfind('\n');
  const std::size_t column = lineBreak == before.npos ? at + 1 : at - lineBreak;
  return std::to_string(before.count('\n') + 1) + ":" + std::to_string(column);
}

// Replaces escape sequences, because "\u0061" and "a" are the same key.
std::string unescaped(llvm::StringRef quoted) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(quoted);
  if (value && value->getAsString())
    return value->getAsString()->str();
  llvm::consumeError(value.takeError());
  return quoted.str();
}

} // namespace

bool isDeeperThan(llvm::StringRef json, int maxDepth) {
  int depth = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"')
      at = endOfString(json, at) - 1;
    else if ((c == '[' || c == '{') && ++depth > maxDepth)
      return true;
    else if (c == ']' || c == '}')
      --depth;
  }
  return false;
}

// The text of the error is "[line:column, byte=offset]: what is wrong". It has no other access. The
// column is 0 at the end of a file that ends with a line break.
std::optional<llvm::json::Value> parseJson(llvm::StringRef json, std::string &error) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(json);
  if (parsed)
    return std::move(*parsed);
  const std::string text = llvm::toString(parsed.takeError());
  const auto [place, what] = llvm::StringRef(text).split("]: ");
  const auto [line, column] = place.ltrim('[').split(',').first.split(':');
  error = (line + ":" + (column == "0" ? "1" : column) + ": " + what).str();
  return std::nullopt;
}

std::optional<DoubledKey> findDoubledKey(llvm::StringRef json) {
  std::vector<std::set<std::string>> keys; // the keys in each open bracket
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '[' || c == '{')
      keys.emplace_back();
    else if ((c == ']' || c == '}') && !keys.empty())
      keys.pop_back();
    if (c != '"')
      continue;
    const std::size_t end = endOfString(json, at);
    const bool isKey = json.substr(end).ltrim(" \t\r\n").starts_with(":");
    if (isKey && !keys.empty()) {
      const std::string key = unescaped(json.slice(at, end));
      if (!keys.back().insert(key).second)
        return DoubledKey{key, placeOf(json, at)};
    }
    at = end - 1;
  }
  return std::nullopt;
}

} // namespace spl::cli

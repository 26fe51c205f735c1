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
        return DoubledKey{key, static_cast<int>(json.take_front(at).count('\n')) + 1};
    }
    at = end - 1;
  }
  return std::nullopt;
}

} // namespace spl::cli

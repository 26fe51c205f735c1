// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of JSON text that LLVM's parser does not make, and the place of its errors. The parser is
// recursive, drops duplicate keys, and does not store line numbers.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm::json {
class Value;
}

namespace spl::cli {

/// Whether brackets outside strings are nested more than \p maxDepth levels. Deep nesting would
/// exhaust the stack of the parser.
bool isDeeperThan(llvm::StringRef json, int maxDepth);

struct DoubledKey {
  std::string key;
  std::string where; ///< the second occurrence, "line:column" from 1
};

/// Parses the text. If that fails, \p error is "line:column: what is wrong".
std::optional<llvm::json::Value> parseJson(llvm::StringRef json, std::string &error);

/// The first duplicate key of an object in \p json. The text must be valid JSON.
std::optional<DoubledKey> findDoubledKey(llvm::StringRef json);

} // namespace spl::cli

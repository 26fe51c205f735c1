// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of JSON text that LLVM's parser does not make. The parser is recursive, drops duplicate
// keys, and does not store line numbers.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace spl::cli {

/// Whether brackets outside strings are nested more than \p maxDepth levels. Deep nesting would
/// exhaust the stack of the parser.
bool isDeeperThan(llvm::StringRef json, int maxDepth);

struct DoubledKey {
  std::string key;
  int line; ///< of the second occurrence, from 1
};

/// The first duplicate key of an object in \p json. The text must be valid JSON.
std::optional<DoubledKey> findDoubledKey(llvm::StringRef json);

} // namespace spl::cli

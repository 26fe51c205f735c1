// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be said of a text of JSON only before it is parsed: the parser keeps no lines, drops
// doubled keys and calls itself for every bracket.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace spl::cli {

/// Whether brackets outside strings lead more than \p maxDepth levels deep. The parser would
/// exhaust the stack on a text of nothing else.
bool isDeeperThan(llvm::StringRef json, int maxDepth);

struct DoubledKey {
  std::string key;
  int line; ///< from 1, of its second place
};

/// The first key that an object of \p json, which has been parsed, gives a second time.
std::optional<DoubledKey> findDoubledKey(llvm::StringRef json);

} // namespace spl::cli

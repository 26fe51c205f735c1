// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of one file of the cache: magic, digest, version, the full key, the payload. The digest
// is of all that follows it, so an entry that was cut short, or of which a byte is another, is
// none.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace spl::jit {

/// 128 bits of XXH3 as 32 hexadecimal digits.
std::string digestOf(llvm::StringRef bytes);

struct Entry {
  llvm::StringRef key, payload; ///< parts of the bytes that were read

  static std::string write(llvm::StringRef key, llvm::StringRef payload);
  /// Nothing for bytes that write did not give.
  static std::optional<Entry> read(llvm::StringRef bytes);
};

} // namespace spl::jit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of one file of the cache: magic, digest, version, full key, payload. The digest covers
// everything after it. Therefore a truncated or changed entry is detected.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace spl::jit {

/// 128 bits of XXH3 as 32 hexadecimal digits.
std::string digestOf(llvm::StringRef bytes);

struct Entry {
  llvm::StringRef key, payload; ///< references into the bytes that were read

  static std::string write(llvm::StringRef key, llvm::StringRef payload);
  /// Returns std::nullopt for bytes that write did not produce.
  static std::optional<Entry> read(llvm::StringRef bytes);
};

} // namespace spl::jit

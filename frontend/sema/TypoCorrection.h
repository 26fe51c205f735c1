// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, among the names that would have been right, the one that was probably meant. Owns nothing.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace spl::sema {

class TypoCorrection {
public:
  explicit TypoCorrection(llvm::StringRef wanted);
  void consider(llvm::StringRef candidate);
  /// The best candidate, or empty where none is close.
  llvm::StringRef best() const { return found; }

private:
  llvm::StringRef wanted;
  llvm::StringRef found;
  unsigned limit; ///< edits that a candidate may be away
};

/// "; did you mean 'name'?", or nothing where there is no such name.
std::string didYouMean(llvm::StringRef name);

} // namespace spl::sema

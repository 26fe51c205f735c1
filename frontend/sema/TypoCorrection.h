// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the known name that a wrong name was probably meant to be. Owns nothing.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace spl::sema {

class TypoCorrection {
public:
  explicit TypoCorrection(llvm::StringRef written);
  void consider(llvm::StringRef candidate);
  /// The best candidate, or empty if none is similar.
  llvm::StringRef best() const { return found; }

private:
  llvm::StringRef written;
  llvm::StringRef found;
  unsigned limit; ///< maximum edits of the next candidate
};

/// "; did you mean 'name'?", or empty for an empty name.
std::string didYouMean(llvm::StringRef name);

} // namespace spl::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the built-in types, which nothing may be declared as, and of the bounds of generics.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace spl::syntax {

bool isScalarTypeName(llvm::StringRef name);

/// A name of the form of a vector's: a number type, 'x' and digits, whether there is such a vector
/// or not.
struct VectorName {
  llvm::StringRef element;
  unsigned lanes; ///< 0 where the digits are no number of lanes that a vector can have
  unsigned bits;  ///< of all lanes

  static constexpr unsigned maxBits = 128;
  bool isValid() const { return lanes != 0 && bits <= maxBits; }
};
std::optional<VectorName> parseVectorName(llvm::StringRef name);

/// f32x4; not f64x4, which is too large.
bool isVectorTypeName(llvm::StringRef name);

bool isBoundName(llvm::StringRef name);
/// "Num, Int, Float or Signed", with that word before the last.
std::string boundNames(llvm::StringRef last);

} // namespace spl::syntax

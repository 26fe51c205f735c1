// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of built-in types, which declarations may not use, and the names of the bounds of
// generics.
#pragma once

#include "spl/abi/Limits.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace spl::syntax {

bool isScalarTypeName(llvm::StringRef name);

/// A name that has the form of a vector's name: a number type, 'x' and digits. Such a vector need
/// not exist.
struct VectorName {
  llvm::StringRef element;
  unsigned lanes; ///< 0 if no vector can have this number of lanes
  unsigned bits;  ///< the bits of all lanes

  bool isValid() const { return lanes != 0 && bits <= 8 * abi::maxVectorBytes; }
};
std::optional<VectorName> parseVectorName(llvm::StringRef name);

/// Whether it is the name of a vector that exists. f32x4 is one; f64x4 is not, because it is too
/// large.
bool isVectorTypeName(llvm::StringRef name);

bool isBoundName(llvm::StringRef name);
/// Returns "Num, Int, Float or Signed". `last` is the word before the last name.
std::string boundNames(llvm::StringRef last);

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the file is that a 'use' names: beside the file that uses it, else in the first root that
// has one. What is found follows from the file system alone, so that it can be asked again whether
// the same would be found.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace spl::syntax {

struct FoundFile {
  std::string root;     ///< the folder of those searched that has it
  std::string path;     ///< as messages name it
  std::string realPath; ///< without links; empty where there is none
  bool isInside;        ///< links may lead around inside a root, not out of it

  bool operator==(const FoundFile &) const = default;
};

/// file: relative, as "geometry/shapes.spl". folder: of the file that uses it, empty where it has
/// none.
std::optional<FoundFile> findUsed(llvm::StringRef file, llvm::StringRef folder,
                                  const std::vector<std::string> &roots);

/// The path without links, or empty where there is nothing.
std::string realPath(llvm::StringRef path);

} // namespace spl::syntax

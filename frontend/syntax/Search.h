// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the file that a 'use' names. It is in the folder of the using file, else in the first root
// that has it. The result depends only on the file system, so a later call can test whether the
// same file would be found.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace spl::syntax {

struct FoundFile {
  std::string root;     ///< the searched folder that has the file
  std::string path;     ///< the path for messages
  std::string realPath; ///< the path without links; empty if there is no file
  bool isInside;        ///< whether the real path is inside the root

  bool operator==(const FoundFile &) const = default;
};

/// `file` is a relative path such as "geometry/shapes.spl". `folder` is the folder of the using
/// file, or empty if it has none.
std::optional<FoundFile> findUsed(llvm::StringRef file, llvm::StringRef folder,
                                  const std::vector<std::string> &roots);

/// Returns the path without links, or an empty text if there is no such file.
std::string realPath(llvm::StringRef path);

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/syntax/Search.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace spl::syntax {

namespace fs = llvm::sys::fs;

std::string realPath(llvm::StringRef path) {
  llvm::SmallString<256> real;
  return fs::real_path(path, real) ? "" : real.str().str();
}

static bool isInside(llvm::StringRef path, llvm::StringRef root) {
  return path.consume_front(root) && (root.ends_with("/") || path.empty() || path.front() == '/');
}

static std::optional<FoundFile> findIn(llvm::StringRef root, llvm::StringRef file) {
  llvm::SmallString<256> candidate(root == "." ? "" : root);
  llvm::sys::path::append(candidate, file);
  if (!fs::exists(candidate))
    return std::nullopt;
  std::string real = realPath(candidate);
  const bool inside = isInside(real, realPath(root));
  return FoundFile{root.str(), candidate.str().str(), std::move(real), inside};
}

std::optional<FoundFile> findUsed(llvm::StringRef file, llvm::StringRef folder,
                                  const std::vector<std::string> &roots) {
  if (!folder.empty())
    if (std::optional<FoundFile> found = findIn(folder, file))
      return found;
  for (const std::string &root : roots)
    if (std::optional<FoundFile> found = findIn(root, file))
      return found;
  return std::nullopt;
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that another process can tell from what a killed process left behind.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>

namespace spl::codegen {

/// A new file with a name that no other has, and a lock (flock) that this object holds on it. The
/// lock ends with the object, and with the process however that ends; the file stays. In a file
/// system without locks the file is there without one, and is never taken for abandoned.
class LockedFile {
public:
  /// Makes \p folder / \p prefix XXXXXX \p suffix, which only the user may read and write. Answers
  /// nothing, with errno, where that fails.
  static std::optional<LockedFile> create(llvm::StringRef folder, llvm::StringRef prefix,
                                          llvm::StringRef suffix);

  LockedFile(LockedFile &&other) noexcept
      : file(std::move(other.file)), opened(std::exchange(other.opened, -1)) {}
  LockedFile &operator=(LockedFile &&) = delete;
  ~LockedFile();

  const std::string &path() const { return file; }
  int descriptor() const { return opened; }

private:
  LockedFile(std::string path, int descriptor) : file(std::move(path)), opened(descriptor) {}

  std::string file;
  int opened;
};

/// Removes the files in \p folder that create made with that prefix and suffix, belong to this
/// user and have a lock that nobody holds. Calls \p before with the path of each while it holds the
/// lock itself. What cannot be removed stays.
void removeAbandoned(
    llvm::StringRef folder, llvm::StringRef prefix, llvm::StringRef suffix,
    llvm::function_ref<void(llvm::StringRef path)> before = [](auto) {});

} // namespace spl::codegen

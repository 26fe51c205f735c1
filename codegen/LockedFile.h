// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files with a lock. The lock tells other processes whether the process that created the file still
// exists.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>

namespace spl::codegen {

/// A new file with a unique name, and a lock (flock) on it, which this object owns. The lock is
/// released when the object is destroyed or the process ends, even if it is killed. The file itself
/// is not removed. In a file system without locks the file has no lock, and is never considered
/// abandoned.
class LockedFile {
public:
  /// Creates a file in \p folder. Its name is \p prefix, six unique characters, and \p suffix. Only
  /// the user may read and write it. Returns std::nullopt and sets errno if that fails.
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

/// Removes the files in \p folder that LockedFile::create has made with this prefix and suffix, if
/// they belong to this user and no process holds their lock. For each file it takes the lock, calls
/// \p before with the path, and removes the file. Ignores files that cannot be removed.
void removeAbandoned(
    llvm::StringRef folder, llvm::StringRef prefix, llvm::StringRef suffix,
    llvm::function_ref<void(llvm::StringRef path)> before = [](auto) {});

} // namespace spl::codegen

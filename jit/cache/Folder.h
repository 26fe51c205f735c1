// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder with the files of the cache. It must be a real folder (not a link) that belongs to the
// user of this process, with mode 0700. Any other folder is an error. A Folder owns a descriptor of
// the folder, so a later change of the path has no effect. Several threads and processes may use it
// at once.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace spl::jit {

class Folder {
public:
  /// $XDG_CACHE_HOME/spl, or $HOME/.cache/spl. Fails if neither variable is set, and in a program
  /// that runs with more rights than its user.
  static llvm::Expected<std::string> pathOfUser();

  /// Opens the folder, and creates it if it does not exist. The error says what is wrong with it.
  static llvm::Expected<Folder> open(const std::string &path);

  Folder(Folder &&other) noexcept
      : folder(std::move(other.folder)), descriptor(std::exchange(other.descriptor, -1)) {}
  Folder &operator=(Folder &&) = delete;
  ~Folder();

  const std::string &path() const { return folder; }

  /// The bytes of a file. Returns std::nullopt if it does not exist, is not a regular file, belongs
  /// to another user, or is writable by others.
  std::optional<std::string> read(const std::string &name) const;
  /// Sets the time of the file's last use to now. Ignores errors.
  void markUsed(const std::string &name) const;

  /// Writes or replaces a file atomically: a reader gets the old bytes or the new ones. A failure
  /// leaves nothing behind. A process that is killed may leave a temporary file, which
  /// removeAbandoned removes.
  llvm::Error write(const std::string &name, llvm::StringRef bytes) const;

  struct File {
    std::string name;
    uint64_t size;
    std::timespec lastUse;
    bool isTemporary; ///< belongs to a write that is in progress or was killed
  };
  /// All regular files.
  std::vector<File> list() const;
  bool has(const std::string &name) const;
  void remove(const std::string &name) const;

  /// Removes the temporary files of processes that no longer exist. A writer holds a lock on its
  /// file, which the system releases when the process ends.
  void removeAbandoned() const;

private:
  Folder(std::string path, int descriptor) : folder(std::move(path)), descriptor(descriptor) {}

  std::string folder;
  int descriptor;
};

} // namespace spl::jit

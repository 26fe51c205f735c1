// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder that the cache keeps its files in. It is the user's alone: a real folder (no link) of
// this process's user with mode 0700; any other is refused. Owns a descriptor of the folder, so
// that a path which leads elsewhere later changes nothing. May be used by several threads and
// processes at once.
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
  /// $XDG_CACHE_HOME/spl, else $HOME/.cache/spl. Fails where the environment names neither, and in
  /// a program that runs with more rights than its user has.
  static llvm::Expected<std::string> pathOfUser();

  /// Opens the folder, which is made where there is none. The error says what is wrong with it.
  static llvm::Expected<Folder> open(const std::string &path);

  Folder(Folder &&other) noexcept
      : folder(std::move(other.folder)), descriptor(std::exchange(other.descriptor, -1)) {}
  Folder &operator=(Folder &&) = delete;
  ~Folder();

  const std::string &path() const { return folder; }

  /// The bytes of a file. Nothing where there is none, and for what is no regular file, is another
  /// user's or may be written by others.
  std::optional<std::string> read(const std::string &name) const;
  /// Makes this moment the time of the file's last use; where that is not allowed, nothing happens.
  void markUsed(const std::string &name) const;

  /// Puts a file in its place at once: whoever reads gets the old bytes or the new ones. A failure
  /// leaves nothing behind; a process that is killed may leave a temporary file, for
  /// removeAbandoned.
  llvm::Error write(const std::string &name, llvm::StringRef bytes) const;

  struct File {
    std::string name;
    uint64_t size;
    std::timespec lastUse;
    bool isTemporary; ///< of a write that has not ended, or never will
  };
  /// Every regular file.
  std::vector<File> list() const;
  bool has(const std::string &name) const;
  void remove(const std::string &name) const;

  /// Removes the temporary files whose writers are gone. A writer holds a lock on its file, which
  /// ends with the process however that ends.
  void removeAbandoned() const;

private:
  Folder(std::string path, int descriptor) : folder(std::move(path)), descriptor(descriptor) {}

  std::string folder;
  int descriptor;
};

} // namespace spl::jit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/LockedFile.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spl::codegen {

/// mkstemps replaces this part of a name by letters and digits.
static constexpr llvm::StringLiteral unique = "XXXXXX";

std::optional<LockedFile> LockedFile::create(llvm::StringRef folder, llvm::StringRef prefix,
                                             llvm::StringRef suffix) {
  for (;;) {
    std::string path = (folder + "/" + prefix + unique + suffix).str();
    const int descriptor = ::mkostemps(path.data(), static_cast<int>(suffix.size()), O_CLOEXEC);
    if (descriptor < 0)
      return std::nullopt;
    LockedFile made(std::move(path), descriptor);
    // Before the lock is held, another process may consider the file abandoned and remove it.
    const int status = llvm::sys::RetryAfterSignal(-1, ::flock, descriptor, LOCK_EX);
    struct stat now;
    if (status != 0 || ::fstat(descriptor, &now) != 0 || now.st_nlink != 0)
      return made;
  }
}

LockedFile::~LockedFile() {
  if (opened >= 0)
    ::close(opened);
}

/// Removes the file at \p path if it belongs to this user and no process holds its lock.
static void removeIfAbandoned(const std::string &path,
                              llvm::function_ref<void(llvm::StringRef)> before) {
  // O_NONBLOCK: does not wait if the file is a pipe.
  const int file = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return;
  struct stat opened, named;
  if (::fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == ::geteuid() &&
      ::flock(file, LOCK_EX | LOCK_NB) == 0 &&
      // The owner may have renamed or removed the file, and ended, after it was opened here.
      ::lstat(path.c_str(), &named) == 0 && named.st_ino == opened.st_ino &&
      named.st_dev == opened.st_dev) {
    before(path);
    ::unlink(path.c_str());
  }
  ::close(file);
}

void removeAbandoned(llvm::StringRef folder, llvm::StringRef prefix, llvm::StringRef suffix,
                     llvm::function_ref<void(llvm::StringRef path)> before) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator each(folder, error, /*follow_symlinks=*/false), end;
       !error && each != end; each.increment(error)) {
    const llvm::StringRef name = llvm::sys::path::filename(each->path());
    if (name.size() == prefix.size() + unique.size() + suffix.size() && name.starts_with(prefix) &&
        name.ends_with(suffix))
      removeIfAbandoned(each->path(), before);
  }
}

} // namespace spl::codegen

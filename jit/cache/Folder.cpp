// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/Folder.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spl::jit {

static constexpr llvm::StringLiteral temporaryPrefix = "new-";
/// No file of the cache is larger. A larger file that somebody else put there is not read into
/// memory.
static constexpr off_t maxFileSize = off_t(1) << 30;

static std::string reason() { return llvm::sys::StrError(errno); }

//===-- Opening --===//

llvm::Expected<std::string> Folder::pathOfUser() {
  // secure_getenv ignores the environment of a setuid program. The user who starts the program must
  // not choose the code that it loads.
  const char *cache = ::secure_getenv("XDG_CACHE_HOME"), *home = ::secure_getenv("HOME");
  if (cache && *cache == '/') // the XDG specification says that a relative path is ignored
    return std::string(cache) + "/spl";
  if (home && *home == '/')
    return std::string(home) + "/.cache/spl";
  return llvm::createStringError("neither XDG_CACHE_HOME nor HOME names a folder");
}

llvm::Expected<Folder> Folder::open(const std::string &path) {
  namespace fs = llvm::sys::fs;
  llvm::StringRef parent = llvm::sys::path::parent_path(path);
  if (std::error_code error =
          fs::create_directories(parent, /*IgnoreExisting=*/true, fs::owner_all))
    return llvm::createStringError("cannot make '" + parent + "': " + error.message());
  if (::mkdir(path.c_str(), 0700) && errno != EEXIST)
    return llvm::createStringError("cannot make '" + path + "': " + reason());
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0)
    return llvm::createStringError("cannot open '" + path +
                                   "' as a folder of its own: " + reason());
  Folder folder(path, descriptor);
  struct stat status;
  if (::fstat(descriptor, &status))
    return llvm::createStringError("cannot look at '" + path + "': " + reason());
  if (status.st_uid != ::geteuid())
    return llvm::createStringError("'" + path + "' belongs to another user");
  if (status.st_mode & (S_IRWXG | S_IRWXO))
    return llvm::createStringError("'" + path + "' is open to other users; its mode must be 0700");
  return folder;
}

Folder::~Folder() {
  if (descriptor >= 0)
    ::close(descriptor);
}

//===-- Files --===//

static bool isUsersOwn(const struct stat &status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         !(status.st_mode & (S_IWGRP | S_IWOTH));
}

std::optional<std::string> Folder::read(const std::string &name) const {
  // O_NONBLOCK: does not wait if the file is a pipe.
  const int file =
      ::openat(descriptor, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  llvm::scope_exit close([&] { ::close(file); });
  struct stat status;
  if (::fstat(file, &status) || !isUsersOwn(status) || status.st_size > maxFileSize)
    return std::nullopt;
  std::string bytes(size_t(status.st_size), '\0');
  for (size_t done = 0; done != bytes.size();) {
    const ssize_t got =
        llvm::sys::RetryAfterSignal(-1, ::read, file, bytes.data() + done, bytes.size() - done);
    if (got <= 0)
      return std::nullopt;
    done += size_t(got);
  }
  return bytes;
}

void Folder::markUsed(const std::string &name) const {
  ::utimensat(descriptor, name.c_str(), /*now*/ nullptr, AT_SYMLINK_NOFOLLOW);
}

static bool writeAll(int file, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t put = llvm::sys::RetryAfterSignal(-1, ::write, file, bytes.data(), bytes.size());
    if (put < 0)
      return false;
    bytes = bytes.drop_front(size_t(put));
  }
  return ::fsync(file) == 0;
}

/// A name that no other process uses, or an empty one if the system has no random numbers yet.
static std::string temporaryName() {
  uint64_t number;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    return "";
  return temporaryPrefix.str() + llvm::utohexstr(number);
}

/// Renames \p from to \p to. Replaces an empty folder at \p to, but not one with files, which may
/// belong to somebody.
static bool replace(int folder, const std::string &from, const std::string &to) {
  const auto rename = [&] { return ::renameat(folder, from.c_str(), folder, to.c_str()) == 0; };
  return rename() ||
         (errno == EISDIR && ::unlinkat(folder, to.c_str(), AT_REMOVEDIR) == 0 && rename());
}

static bool isRemoved(int file) {
  struct stat status;
  return ::fstat(file, &status) == 0 && status.st_nlink == 0;
}

llvm::Error Folder::write(const std::string &name, llvm::StringRef bytes) const {
  // Writing more than this limit would send a signal that ends the process.
  struct rlimit limit;
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes.size() > limit.rlim_cur)
    return llvm::createStringError("this process may write no file of " +
                                   std::to_string(bytes.size()) + " bytes");
  const auto fail = [&] {
    return llvm::createStringError("cannot write to '" + folder + "': " + reason());
  };
  for (;;) {
    const std::string temporary = temporaryName();
    const int file = ::openat(descriptor, temporary.c_str(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
      return fail();
    // Closed last: the lock is held until the file has its name or is removed.
    llvm::scope_exit close([&] { ::close(file); });
    if (llvm::sys::RetryAfterSignal(-1, ::flock, file, LOCK_EX) == 0 && isRemoved(file))
      continue; // before the lock, another process considered the file abandoned and removed it
    if (writeAll(file, bytes) && replace(descriptor, temporary, name))
      return llvm::Error::success();
    llvm::Error error = fail();
    remove(temporary);
    return error;
  }
}

/// Calls \p visit with each name in the folder that \p descriptor refers to.
static void forEachName(int descriptor, llvm::function_ref<void(const char *)> visit) {
  // Opens the folder again, because all copies of a descriptor share the read position.
  const int again = ::openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = again < 0 ? nullptr : ::fdopendir(again);
  if (!entries) {
    if (again >= 0)
      ::close(again);
    return;
  }
  while (const dirent *entry = ::readdir(entries))
    visit(entry->d_name);
  ::closedir(entries);
}

std::vector<Folder::File> Folder::list() const {
  std::vector<File> files;
  forEachName(descriptor, [&](const char *name) {
    struct stat status;
    if (!::fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status.st_mode))
      files.push_back({name, uint64_t(status.st_size), status.st_mtim,
                       llvm::StringRef(name).starts_with(temporaryPrefix)});
  });
  return files;
}

bool Folder::has(const std::string &name) const {
  return ::faccessat(descriptor, name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void Folder::remove(const std::string &name) const { ::unlinkat(descriptor, name.c_str(), 0); }

void Folder::removeAbandoned() const {
  forEachName(descriptor, [&](const char *name) {
    if (!llvm::StringRef(name).starts_with(temporaryPrefix))
      return;
    const int file = ::openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
      return;
    // If its writer has renamed the file since it was opened, remove() finds nothing under this
    // name.
    struct stat status;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        ::flock(file, LOCK_EX | LOCK_NB) == 0)
      remove(name);
    ::close(file);
  });
}

} // namespace spl::jit

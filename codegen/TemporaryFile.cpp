// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/TemporaryFile.h"
#include "codegen/LockedFile.h"
#include "codegen/Pipeline.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <unistd.h>

namespace spl::codegen {

TemporaryFile::Remover::Remover(llvm::StringRef path) : path(path) {
  // A signal that the process ignores, for example because of nohup, must remain ignored.
  std::map<int, struct sigaction> before;
  for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR2})
    sigaction(signal, nullptr, &before[signal]);
  llvm::sys::RemoveFileOnSignal(path);
  for (const auto &[signal, action] : before)
    if (action.sa_handler == SIG_IGN)
      sigaction(signal, &action, nullptr);
}

TemporaryFile::Remover::~Remover() {
  llvm::sys::fs::remove(path);
  llvm::sys::DontRemoveFileOnSignal(path);
}

/// The temporary files that a process has at one time, and their lock. The files own the session
/// together. Several threads may use it at once.
class TemporaryFile::Session {
public:
  /// Returns the existing session, or creates one. The error says why it cannot be created.
  static llvm::Expected<std::shared_ptr<Session>> current();

  explicit Session(LockedFile file) : lock(std::move(file)), remover(lock.path()) {}

  /// Creates a file and sets path. Returns its descriptor, or -1 and sets errno.
  int make(llvm::StringRef suffix, std::string &path);

private:
  const LockedFile lock;
  const Remover remover; ///< removes the file before the lock is released
  std::atomic<unsigned> number{0};
};

static constexpr llvm::StringLiteral prefix = "simple-gpu-temporary-", lockSuffix = ".lock";

static llvm::SmallString<128> temporaryFolder() {
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  return folder;
}

static llvm::Error cannotCreate() {
  const std::string why = llvm::sys::StrError(errno);
  return userError(mir::PassDiagnostic::TemporaryFile,
                   "cannot create a temporary file in '" + temporaryFolder().str().str() +
                       "': " + why + "; set TMPDIR to a folder that can be written to");
}

llvm::Expected<std::shared_ptr<TemporaryFile::Session>> TemporaryFile::Session::current() {
  static std::mutex mutex;
  static std::weak_ptr<Session> latest;
  std::lock_guard<std::mutex> guard(mutex);
  if (std::shared_ptr<Session> session = latest.lock())
    return session;
  removeAbandonedTemporaries();
  std::optional<LockedFile> lock = LockedFile::create(temporaryFolder(), prefix, lockSuffix);
  if (!lock)
    return cannotCreate();
  auto session = std::make_shared<Session>(std::move(*lock));
  latest = session;
  return session;
}

int TemporaryFile::Session::make(llvm::StringRef suffix, std::string &path) {
  const llvm::StringRef stem = llvm::StringRef(lock.path()).drop_back(lockSuffix.size());
  path = (stem + "-" + llvm::Twine(++number) + "." + suffix).str();
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/// Removes the files of the session whose lock is at \p lock.
static void removeFilesOf(llvm::StringRef lock) {
  const std::string start = (lock.drop_back(lockSuffix.size()) + "-").str();
  std::error_code error;
  for (llvm::sys::fs::directory_iterator each(llvm::sys::path::parent_path(lock), error, false),
       end;
       !error && each != end; each.increment(error))
    if (llvm::StringRef(each->path()).starts_with(start))
      ::unlink(each->path().c_str()); // removes only files, and in /tmp only those of the user
}

void removeAbandonedTemporaries() {
  removeAbandoned(temporaryFolder(), prefix, lockSuffix, removeFilesOf);
}

llvm::Expected<TemporaryFile> TemporaryFile::create(llvm::StringRef suffix,
                                                    llvm::StringRef contents) {
  llvm::Expected<std::shared_ptr<Session>> session = Session::current();
  if (!session)
    return session.takeError();
  std::string path;
  const int descriptor = (*session)->make(suffix, path);
  if (descriptor < 0)
    return cannotCreate();
  TemporaryFile file(std::move(*session), path);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << contents;
  stream.close();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    return userError(mir::PassDiagnostic::TemporaryFile,
                     "cannot write " + path + ": " + error.message());
  }
  return file;
}

llvm::Expected<llvm::SmallVector<char, 0>> TemporaryFile::read() const {
  auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/false);
  if (!file)
    return userError(mir::PassDiagnostic::TemporaryFile,
                     "cannot read " + name + ": " + file.getError().message());
  llvm::StringRef bytes = (*file)->getBuffer();
  return llvm::SmallVector<char, 0>{bytes.begin(), bytes.end()};
}

static llvm::Error toolFailed(llvm::StringRef tool, llvm::StringRef why) {
  constexpr size_t maxLength = 4096; // of what a tool prints, in a message
  const llvm::StringRef end = why.size() > maxLength ? " ..." : "";
  return userError(mir::PassDiagnostic::ToolFailed,
                   "a tool failed: " + tool + ": " + why.take_front(maxLength) + end);
}

llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> arguments,
                                    const TemporaryFile &result) {
  llvm::Expected<TemporaryFile> messages = TemporaryFile::create("txt");
  if (!messages)
    return messages.takeError();
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), messages->path(),
                                                messages->path()};
  std::string failure;
  const int status = llvm::sys::ExecuteAndWait(arguments.front(), arguments, std::nullopt,
                                               redirects, 0, 0, &failure);
  llvm::Expected<llvm::SmallVector<char, 0>> bytes = messages->read();
  if (!bytes)
    return bytes.takeError();
  std::string text(bytes->begin(), bytes->end());
  uint64_t size = 0;
  const bool isWritten = !llvm::sys::fs::file_size(result.path(), size) && size != 0;
  if (status == 0 && isWritten)
    return text;
  failure += llvm::StringRef(text).rtrim();
  if (failure.empty())
    failure = status == 0 ? "it wrote nothing" : "exit status " + std::to_string(status);
  return toolFailed(arguments.front(), failure);
}

} // namespace spl::codegen

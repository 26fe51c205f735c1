// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/TemporaryFile.h"
#include "codegen/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <map>

namespace spl::codegen {

TemporaryFile::Remover::Remover(llvm::StringRef path) : path(path) {
  // A process that ignores a signal, as one behind nohup does, goes on ignoring it.
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

llvm::Expected<TemporaryFile> TemporaryFile::create(llvm::StringRef suffix,
                                                    llvm::StringRef contents) {
  llvm::SmallString<128> path;
  int descriptor = -1;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("spl", suffix, descriptor, path))
    return namedError("temporary-file", "cannot create a temporary file: " + error.message());
  TemporaryFile file(path);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << contents;
  stream.close();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    return namedError("temporary-file", "cannot write " + path + ": " + error.message());
  }
  return file;
}

llvm::Expected<llvm::SmallVector<char, 0>> TemporaryFile::read() const {
  auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/false);
  if (!file)
    return namedError("temporary-file", "cannot read " + name + ": " + file.getError().message());
  llvm::StringRef bytes = (*file)->getBuffer();
  return llvm::SmallVector<char, 0>{bytes.begin(), bytes.end()};
}

llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> arguments) {
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
  if (status != 0)
    return namedError("tool-failed", arguments.front() + " failed: " + failure +
                                         llvm::StringRef(text).rtrim());
  return text;
}

} // namespace spl::codegen

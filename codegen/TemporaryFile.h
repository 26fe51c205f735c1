// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files for the programs that a compilation runs: ptxas and the linker. The files are in
// the system's folder for temporary files ($TMPDIR or /tmp), with the names
// simple-gpu-temporary-XXXXXX-N.SUFFIX. While a process has such files, it holds a lock on the file
// simple-gpu-temporary-XXXXXX.lock in the same folder. The lock of a killed process is free, so
// that other processes recognise the files of that process as abandoned.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace spl::codegen {

/// Removes the temporary files of this user's processes that no longer exist. Does not touch those
/// of running processes. TemporaryFile::create calls this before it creates the first file of a
/// process.
void removeAbandonedTemporaries();

/// A temporary file. The destructor removes it, or a handler if a signal ends the process. After
/// SIGKILL, removeAbandonedTemporaries of a later process removes it.
class TemporaryFile {
public:
  /// Returns an error if the file cannot be created or written.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix,
                                              llvm::StringRef contents = "");
  llvm::StringRef path() const { return name; }
  llvm::Expected<llvm::SmallVector<char, 0>> read() const;

private:
  class Session;
  struct Remover {
    explicit Remover(llvm::StringRef path);
    ~Remover();
    const std::string path;
  };
  TemporaryFile(std::shared_ptr<Session> session, llvm::StringRef path)
      : session(std::move(session)), name(path), remover(std::make_unique<Remover>(path)) {}
  std::shared_ptr<Session> session; ///< is destroyed after the file is removed
  llvm::SmallString<128> name;
  std::unique_ptr<Remover> remover;
};

/// Runs the program at the path arguments[0], which writes the file \p result, and waits for it.
/// Returns what it printed. Fails, with the begin of what it printed, if its exit status is not 0
/// or the file is empty.
llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> arguments,
                                    const TemporaryFile &result);

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files for the other programs that take part in a compilation: ptxas and the linker.
// They are in the system's folder for temporary files ($TMPDIR, else /tmp) and are called
// simple-gpu-temporary-XXXXXX-N.SUFFIX. The process holds a lock on a file beside them,
// simple-gpu-temporary-XXXXXX.lock, as long as it has such files. If a process was killed, its lock
// is free: this is how another process recognises the files that it left.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace spl::codegen {

/// Removes the temporary files that ended processes of this user have left. Never touches those of
/// running processes. TemporaryFile::create calls this before it creates a process's first file.
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
  std::shared_ptr<Session> session; ///< ends after the file
  llvm::SmallString<128> name;
  std::unique_ptr<Remover> remover;
};

/// Runs the program at the path arguments[0], and waits for it. Returns its output, or an error
/// that contains the output if its exit status is not 0.
llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace spl::codegen

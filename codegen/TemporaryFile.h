// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files for the programs of others that take part in a compilation, ptxas and the linker. They lie
// in the system's folder for temporary files ($TMPDIR, else /tmp), called
// simple-gpu-temporary-XXXXXX-N.SUFFIX. Beside them lies simple-gpu-temporary-XXXXXX.lock, on which
// the process holds a lock as long as it has such files. Another process uses the lock to find the
// files of a process that was killed.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace spl::codegen {

/// Removes the temporary files of this user's processes that have ended without doing so. Those of
/// processes that live are never touched. Also done before a process makes its first.
void removeAbandonedTemporaries();

/// A temporary file, removed at the end of the scope, or of the process where a signal ends it;
/// where SIGKILL does, by removeAbandonedTemporaries in a later one.
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

/// Runs arguments[0], a path, and waits for it. What it wrote; an error that has it where its
/// status is not 0.
llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace spl::codegen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files for the programs of others that take part in a compilation, ptxas and the linker.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace spl::codegen {

/// A temporary file, removed at the end of the scope, or of the process where a signal ends it.
class TemporaryFile {
public:
  /// An error where there is no room for it.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix,
                                              llvm::StringRef contents = "");
  llvm::StringRef path() const { return name; }
  llvm::Expected<llvm::SmallVector<char, 0>> read() const;

private:
  struct Remover {
    explicit Remover(llvm::StringRef path);
    ~Remover();
    const std::string path;
  };
  explicit TemporaryFile(llvm::StringRef path)
      : name(path), remover(std::make_unique<Remover>(path)) {}
  llvm::SmallString<128> name;
  std::unique_ptr<Remover> remover;
};

/// Runs arguments[0], a path, and waits for it. What it wrote; an error that has it where its
/// status is not 0.
llvm::Expected<std::string> runTool(llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace spl::codegen

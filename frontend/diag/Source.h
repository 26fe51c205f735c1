// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source files of a compilation, and places in them. The SourceManager wraps llvm::SourceMgr
// and owns the text. A place is a pointer into the text, valid as long as the SourceManager.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

namespace spl::diag {

/// A half-open range of text. Invalid (the default) if there is no text to point at.
struct SourceRange {
  const char *begin = nullptr;
  const char *end = nullptr;

  bool isValid() const { return begin != nullptr; }
  /// The range from the start of this one to the end of the other.
  SourceRange to(SourceRange other) const { return {begin, other.end}; }
  llvm::StringRef text() const { return {begin, size_t(end - begin)}; }
};

/// A place as users see it. The file has the name under which it was added. Line and column count
/// from 1, columns in bytes.
struct Position {
  llvm::StringRef file;
  unsigned line = 0;
  unsigned column = 0;
};

/// Reads a file, a pipe or a device whole. An error says why not, also for a folder and for more
/// than 2 GiB.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(llvm::StringRef path);

class SourceManager {
public:
  /// Adds a text with a name. Returns a view of it that is valid as long as this object. A NUL byte
  /// follows the text.
  llvm::StringRef addBuffer(llvm::StringRef name, llvm::StringRef text);
  /// Reads a file. The error says why the file cannot be read (missing, a folder, no permission).
  llvm::Expected<llvm::StringRef> addFile(llvm::StringRef path);

  /// The place of a pointer into a text; line 0 if it points elsewhere.
  Position position(const char *place) const;
  /// The range of the character at a place that position() returned. Invalid for other places.
  SourceRange range(const Position &position) const;

  const llvm::SourceMgr &llvm() const { return manager; }

private:
  mutable llvm::SourceMgr manager;
};

} // namespace spl::diag

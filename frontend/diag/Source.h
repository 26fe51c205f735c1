// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source files of a compilation and places in them. The SourceManager owns the text (it wraps
// llvm::SourceMgr); locations are plain pointers into it and live as long as it does.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

namespace spl::diag {

/// A half-open range of text. Invalid (default) where there is no text to point at.
struct SourceRange {
  const char *begin = nullptr;
  const char *end = nullptr;

  bool isValid() const { return begin != nullptr; }
  /// The range from the start of this one to the end of the other.
  SourceRange to(SourceRange other) const { return {begin, other.end}; }
  llvm::StringRef text() const { return {begin, size_t(end - begin)}; }
};

/// A place for people: the file's name as the user gave it, line and column from 1, in bytes.
struct Position {
  llvm::StringRef file;
  unsigned line = 0;
  unsigned column = 0;
};

class SourceManager {
public:
  /// Takes over the text under the given name. Returns a view of it, valid as long as this object;
  /// the text is followed by a NUL byte.
  llvm::StringRef addBuffer(llvm::StringRef name, llvm::StringRef text);
  /// Reads a file; the error says why it could not be read (missing, a folder, no permission).
  llvm::Expected<llvm::StringRef> addFile(llvm::StringRef path);

  /// The place of a pointer into one of the buffers; line 0 where it is not.
  Position position(const char *place) const;
  /// The character at a place that position() gave; invalid for any other.
  SourceRange range(const Position &position) const;

  const llvm::SourceMgr &llvm() const { return manager; }

private:
  mutable llvm::SourceMgr manager;
};

} // namespace spl::diag

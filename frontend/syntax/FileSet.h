// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of one compilation: the compiled file, and the files that it uses directly or through
// other files. Each is parsed once. The FileSet owns their trees, and the SourceManager owns their
// texts. A file that cannot be found or read is reported at its use. Errors in a used file get a
// note at the use.
#pragma once

#include "frontend/syntax/Ast.h"
#include "frontend/syntax/Search.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <string>
#include <vector>

namespace spl::diag {
class Engine;
class SourceManager;
} // namespace spl::diag

namespace spl::syntax {

class FileSet {
public:
  /// `roots` are the folders that are searched after the folder of the using file.
  FileSet(diag::SourceManager &sources, diag::Engine &diagnostics, std::vector<std::string> roots);

  /// Parses the compiled file, then all files that it uses. If `isFile` is false, the text has no
  /// folder of its own.
  void load(StringRef name, StringRef text, bool isFile);

  /// All files; the compiled file is first.
  const std::vector<std::unique_ptr<File>> &files() const { return parsed; }
  /// The file that a use names, or null if it has a reported error.
  const File *fileOf(const UseItem &use) const { return targets.lookup(&use); }

  /// The arguments and the result of one call findUsed(file, folder, roots).
  struct Search {
    std::string file, folder;
    FoundFile found;
  };
  const std::vector<Search> &searches() const { return searched; }
  /// The texts of files().
  const std::vector<StringRef> &texts() const { return read; }

private:
  void add(const std::string &realPath, std::string folder, StringRef name, StringRef text);
  void reportUnused(const File &file, StringRef text);
  const File *find(const UseItem &use, StringRef folder);
  const File *open(const UseItem &use, const FoundFile &found);

  diag::SourceManager &sources;
  diag::Engine &diagnostics;
  std::vector<std::string> roots;
  std::vector<std::unique_ptr<File>> parsed;
  std::vector<std::string> folders; ///< the folder of each file; empty if it has none
  std::vector<StringRef> read;      ///< the text of each file
  std::vector<Search> searched;
  llvm::StringMap<File *> byRealPath; ///< null if the file could not be read
  llvm::DenseMap<const UseItem *, const File *> targets;
};

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of one compilation: the one that is compiled, and those that 'use' reaches from it,
// each parsed once. Owns their trees; their texts are the SourceManager's. What cannot be found,
// read or parsed is reported, at the use or with a note there.
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
  /// roots: the folders that are searched after a file's own.
  FileSet(diag::SourceManager &sources, diag::Engine &diagnostics, std::vector<std::string> roots);

  /// Parses the file that is compiled, then all that it uses. A text that comes from no file has no
  /// folder of its own.
  void load(StringRef name, StringRef text, bool isFile);

  /// Every file, the one that is compiled first.
  const std::vector<std::unique_ptr<File>> &files() const { return parsed; }
  /// What a use means; null where that was reported.
  const File *fileOf(const UseItem &use) const { return targets.lookup(&use); }

  /// What was found where: findUsed(file, folder, roots) gives it.
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
  std::vector<std::string> folders; ///< beside parsed; empty: none
  std::vector<StringRef> read;      ///< beside parsed
  std::vector<Search> searched;
  llvm::StringMap<File *> byRealPath; ///< null: could not be read
  llvm::DenseMap<const UseItem *, const File *> targets;
};

} // namespace spl::syntax

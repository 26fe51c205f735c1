// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/syntax/FileSet.h"
#include "frontend/diag/Engine.h"
#include "frontend/lex/Lexer.h"
#include "frontend/syntax/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace spl::syntax {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

FileSet::FileSet(diag::SourceManager &sources, diag::Engine &diagnostics,
                 std::vector<std::string> roots)
    : sources(sources), diagnostics(diagnostics), roots(std::move(roots)) {}

/// Returns the folder of a file, as in messages.
static std::string folderOf(StringRef file) {
  StringRef folder = path::parent_path(file);
  return folder.empty() ? "." : folder.str();
}

void FileSet::load(StringRef name, StringRef text, bool isFile) {
  add(isFile ? realPath(name) : "", isFile ? folderOf(name) : "", name, text);
  for (size_t index = 0; index != parsed.size(); ++index)
    for (const UseItem &use : parsed[index]->uses)
      targets[&use] = find(use, folders[index]);
  for (const auto &[file, fileText] : llvm::zip_equal(parsed, read))
    reportUnused(*file, fileText);
}

void FileSet::add(const std::string &realPath, std::string folder, StringRef name, StringRef text) {
  parsed.push_back(parse(name, text, diagnostics));
  folders.push_back(std::move(folder));
  read.push_back(text);
  if (!realPath.empty())
    byRealPath[realPath] = parsed.back().get();
}

/// Whether a kernel of the file has the name.
static bool isKernel(const File &file, StringRef name) {
  return llvm::any_of(file.functions, [&](const FunctionItem *function) {
    return function->isKernel() && function->name.name == name;
  });
}

// Reports imported names that the text does not contain again. Does not report imported kernels in
// the compiled file, because they become kernels of the program. Does not report names of a file
// that was not found.
void FileSet::reportUnused(const File &file, StringRef text) {
  if (file.uses.empty())
    return;
  llvm::DenseSet<StringRef> words;
  const UseItem *next = file.uses.begin();
  for (const char *at = text.begin(); at != text.end();) {
    if (next != file.uses.end() && at == next->range.begin) {
      at = next++->range.end;
      continue;
    }
    if (!lex::isIdentifierStart(*at)) {
      ++at;
      continue;
    }
    StringRef word = StringRef(at, text.end() - at).take_while(lex::isIdentifierPart);
    words.insert(word);
    at = word.end();
  }
  bool isCompiled = &file == parsed.front().get();
  for (const UseItem &use : file.uses)
    for (const Identifier &name : use.names)
      if (const File *target = targets.lookup(&use);
          target && !words.contains(name.name) && !(isCompiled && isKernel(*target, name.name)))
        diagnostics.emit(name.range, diag::UnusedImport, name.name);
}

const File *FileSet::find(const UseItem &use, StringRef folder) {
  llvm::SmallString<128> file;
  for (const Identifier &part : use.path)
    path::append(file, part.name);
  file += ".spl";
  if (std::optional<FoundFile> found = findUsed(file, folder, roots)) {
    searched.push_back({file.str().str(), folder.str(), *found});
    return open(use, *found);
  }
  SourceRange range = use.path.front().range.to(use.path.back().range);
  if (use.path.size() == 1 && llvm::is_contained({"gpu", "math"}, use.path.front().name)) {
    diagnostics.emit(range, diag::UseNotFound, file.str(),
                     ("'" + use.path.front().name + ".' names are always available").str());
    return nullptr;
  }
  std::string places;
  const auto add = [&](StringRef root) {
    places += (places.empty() ? "'" : ", '") + root.str() + "'";
  };
  if (!folder.empty())
    add(folder);
  llvm::for_each(roots, add);
  diagnostics.emit(range, diag::UseNotFound, file.str(),
                   places.empty() ? "there are no folders to search; add one with -I"
                                  : "searched: " + places);
  return nullptr;
}

const File *FileSet::open(const UseItem &use, const FoundFile &found) {
  SourceRange range = use.path.front().range.to(use.path.back().range);
  const std::string &candidate = found.path;
  if (!found.isInside) {
    diagnostics.emit(range, diag::UseOutside, candidate, found.root);
    return nullptr;
  }
  auto [known, isNew] = byRealPath.try_emplace(found.realPath, nullptr);
  if (!isNew)
    return known->second;
  auto refuse = [&](const std::string &why) {
    diagnostics.emit(range, diag::CannotReadFile, candidate, why);
    return nullptr;
  };
  if (!fs::is_directory(candidate) && !fs::is_regular_file(candidate)) // opening a pipe could block
    return refuse("it is not a regular file");
  llvm::Expected<StringRef> text = sources.addFile(candidate);
  if (!text)
    return refuse(llvm::toString(text.takeError()));
  diagnostics.setContext({diag::Engine::note(use.range, diag::UsedHere)});
  StringRef name = sources.position(text->data()).file; // valid as long as the text
  add(found.realPath, folderOf(candidate), name, *text);
  diagnostics.setContext({});
  return parsed.back().get();
}

} // namespace spl::syntax

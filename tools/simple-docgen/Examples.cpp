// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/simple-docgen/Examples.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <set>

namespace spl::docgen {

static std::set<std::string> sourcesIn(llvm::StringRef folder) {
  std::set<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator file(folder, error), end; file != end && !error;
       file.increment(error))
    if (llvm::StringRef(file->path()).ends_with(".spl"))
      paths.insert(file->path());
  return paths;
}

static void addExamples(llvm::StringRef text, std::map<std::string, std::string> &examples) {
  llvm::Regex expectation(
      R"(# [A-Z-]+: .*\[\[#?@LINE([-+][0-9]+)?\]\]:[0-9]+: .*\[([a-z0-9-]+)\]$)");
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i != lines.size(); ++i) {
    llvm::SmallVector<llvm::StringRef, 3> parts;
    if (!expectation.match(lines[i], &parts))
      continue;
    int offset = 0;
    parts[1].consume_front("+");
    parts[1].getAsInteger(10, offset);
    size_t place = i + offset;
    if (place < lines.size() && !lines[place].trim().empty())
      examples.try_emplace(parts[2].str(), lines[place].trim().str());
  }
}

std::map<std::string, std::string> findExamples(llvm::StringRef folder) {
  std::map<std::string, std::string> examples;
  for (const std::string &path : sourcesIn(folder))
    if (auto file = llvm::MemoryBuffer::getFile(path))
      addExamples((*file)->getBuffer(), examples);
  return examples;
}

} // namespace spl::docgen

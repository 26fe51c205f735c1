// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/simple-docgen/Examples.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <set>

namespace spl::docgen {
namespace {

using ByName = std::map<std::string, std::string>;

std::set<std::string> testsIn(llvm::StringRef folder) {
  std::set<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator file(folder, error), end; file != end && !error;
       file.increment(error))
    if (llvm::StringRef path = file->path(); path.ends_with(".spl") || path.ends_with(".test"))
      paths.insert(path.str());
  return paths;
}

/// Adds the lines of source for which a test expects a diagnostic, by the name of the diagnostic.
void addLines(llvm::ArrayRef<llvm::StringRef> lines, ByName &examples) {
  llvm::Regex expectation(
      R"(# [A-Z-]+: .*\[\[#?@LINE([-+][0-9]+)?\]\]:([0-9]+|\{\{[^}]*\}\}): .*\[([a-z0-9-]+)\]$)");
  for (size_t i = 0; i != lines.size(); ++i) {
    llvm::SmallVector<llvm::StringRef, 4> parts;
    if (!expectation.match(lines[i], &parts))
      continue;
    int offset = 0;
    parts[1].consume_front("+");
    parts[1].getAsInteger(10, offset);
    size_t place = i + offset;
    if (place < lines.size() && !lines[place].trim().empty())
      examples.try_emplace(parts[3].str(), lines[place].trim().str());
  }
}

/// Adds the messages that a test expects, with dots in place of patterns. Skips messages that begin
/// with a pattern, because they say little.
void addMessages(llvm::ArrayRef<llvm::StringRef> lines, ByName &examples) {
  llvm::Regex expectation(R"(^ *(# )?[A-Z0-9-]+: .*(error|warning|note): (.*) \[([a-z0-9-]+)\])");
  llvm::Regex open(R"(\{\{[^}]*\}\}|\[\[[^]]*\]\])");
  for (llvm::StringRef line : lines) {
    llvm::SmallVector<llvm::StringRef, 5> parts;
    if (!expectation.match(line, &parts))
      continue;
    std::string message = parts[3].str();
    while (open.match(message))
      message = open.sub("...", message);
    if (!llvm::StringRef(message).starts_with("..."))
      examples.try_emplace(parts[4].str(), message);
  }
}

} // namespace

Examples::Examples(llvm::StringRef tests) {
  for (llvm::StringRef suite : {"/frontend", "/codegen", "/tools"})
    for (const std::string &path : testsIn((tests + suite).str()))
      if (auto file = llvm::MemoryBuffer::getFile(path)) {
        llvm::SmallVector<llvm::StringRef> text;
        (*file)->getBuffer().split(text, '\n');
        addLines(text, lines);
        addMessages(text, messages);
      }
}

std::string Examples::of(const diag::Info &row) const {
  const bool saysNothing = row.format == "{0}";
  for (const ByName *kind : {saysNothing ? &messages : &lines, saysNothing ? &lines : &messages})
    if (auto example = kind->find(row.name.str()); example != kind->end())
      return example->second;
  return {};
}

} // namespace spl::docgen

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deletes one bracket from a valid program. There must be one error, about brackets, in the line of
// the deleted bracket. Repeats this for all brackets of the examples and of the end-to-end tests.

#include "ParsedSource.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using spl::test::ParsedSource;
using namespace spl;

namespace {

/// The texts of all .spl files below a folder of the source tree.
std::vector<std::string> readPrograms(const char *folder) {
  std::vector<std::string> texts;
  std::error_code failure;
  std::string root = std::string(SPL_SOURCE_FOLDER) + "/" + folder;
  for (llvm::sys::fs::recursive_directory_iterator file(root, failure), end;
       file != end && !failure; file.increment(failure))
    if (llvm::StringRef(file->path()).ends_with(".spl"))
      if (auto buffer = llvm::MemoryBuffer::getFile(file->path()))
        texts.push_back((*buffer)->getBuffer().str());
  EXPECT_FALSE(failure) << root << ": " << failure.message();
  return texts;
}

/// The positions of brackets. Brackets in comments and strings are not counted, nor is that of
/// '#[': without it the line is a comment.
std::vector<size_t> bracketsOf(llvm::StringRef text) {
  std::vector<size_t> places;
  for (const char *place = text.begin(), *end = text.end(); place < end; ++place) {
    if (lex::isComment(place, end))
      place = lex::endOfLine(place, end);
    else if (lex::isDocstring(place, end))
      place = lex::closingQuotes(place, end) + 2;
    else if (*place == '"')
      place = lex::closingQuote(place, end);
    else if (*place == '#')
      ++place;
    else if (llvm::StringRef("()[]{}").contains(*place))
      places.push_back(size_t(place - text.begin()));
  }
  return places;
}

TEST(Brackets, OneThatIsDeletedIsNamedOnItsLine) {
  unsigned count = 0, otherErrors = 0, otherLines = 0;
  for (const char *folder : {"examples", "test/e2e"})
    for (const std::string &text : readPrograms(folder)) {
      if (ParsedSource(text).diagnostics.hasErrors())
        continue;
      for (size_t place : bracketsOf(text)) {
        std::string broken = text;
        broken.erase(place, 1);
        ParsedSource source(broken);
        std::string found = source.messages();
        llvm::StringRef messages = found;
        std::string line = std::to_string(1 + llvm::StringRef(text).take_front(place).count('\n'));
        ++count;
        otherErrors += messages.count('\n') != 1 || !messages.contains("-bracket\n");
        otherLines += !messages.starts_with(line + ":");
      }
    }
  std::cout << count << " brackets deleted; " << otherErrors
            << " times the error is not about the bracket alone, " << otherLines
            << " times not on its line\n";
  EXPECT_GT(count, 4000u);
  EXPECT_EQ(otherErrors, 0u);
  // In a statement of several lines the error may be in another line.
  EXPECT_LE(otherLines, count / 200);
}

} // namespace

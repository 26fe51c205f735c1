// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the diagnostics engine: which messages it keeps, and how it prints them.

#include "ParsedSource.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using spl::test::Source;
using namespace spl::diag;

namespace {

/// The range of the first occurrence of \p word.
SourceRange rangeOf(llvm::StringRef text, llvm::StringRef word) {
  const char *begin = text.begin() + text.find(word);
  return {begin, begin + word.size()};
}

TEST(Engine, ShowsLineCaretFixAndNotes) {
  Source source("first\nval x = y\n");
  source.diagnostics.emit(rangeOf(source.text, "val"), ForeignWord, "let", "val")
      .note(rangeOf(source.text, "first"), OpenedHere, "(")
      .fix("val");
  EXPECT_EQ(source.printed(), "t.spl:2:1: error: there is no 'let' in this language; write 'val' "
                              "[foreign-word]\nval x = y\n^~~\nval\n"
                              "t.spl:1:1: note: '(' is opened here [opened-here]\nfirst\n^~~~~\n");
}

TEST(Engine, SortsByPlaceAndKeepsOneOfEach) {
  Source source("one two\n");
  SourceRange one = rangeOf(source.text, "one"), two = rangeOf(source.text, "two");
  source.diagnostics.emit(two, BraceBlock);
  source.diagnostics.emit(one, BraceBlock);
  source.diagnostics.emit(two, BraceBlock).note(one, OpenedHere, "dropped with its message");
  source.diagnostics.emit(two, UnexpectedSemicolon, "remove the ';'");
  source.diagnostics.emit({}, CannotReadFile, "x", "why");
  EXPECT_EQ(source.messages(), "0:0 cannot-read-file\n1:1 brace-block\n1:5 brace-block\n"
                               "1:5 unexpected-semicolon\n");
  EXPECT_EQ(source.diagnostics.errorCount(), 4u);
}

TEST(Engine, ShowsMessagesWithoutAPlace) {
  Source source("");
  source.diagnostics.emit({}, CannotReadFile, "x.spl", "why");
  EXPECT_EQ(source.printed(), "error: cannot read 'x.spl': why [cannot-read-file]\n");
}

TEST(Engine, StopsAfterTheLimit) {
  Source source(std::string(300, 'x'));
  for (unsigned i = 0; i != 250; ++i)
    source.diagnostics.emit({source.text.begin() + i, source.text.begin() + i + 1}, BraceBlock);
  EXPECT_EQ(source.diagnostics.errorCount(), Engine::errorLimit);
  EXPECT_EQ(source.diagnostics.all().size(), Engine::errorLimit);
  std::string printed = source.printed();
  llvm::StringRef last = llvm::StringRef(printed).rsplit("error: ").second;
  EXPECT_EQ(last.str(), "too many errors; 150 more are not shown [too-many-errors]\n");
  EXPECT_NE(source.messages().find("too-many-errors"), std::string::npos);
}

TEST(Engine, ShortensLongLines) {
  Source source("a\n" + std::string(5000000, 'x') + "HERE" + std::string(5000000, 'y') + "\nb\n");
  source.diagnostics.emit(rangeOf(source.text, "HERE"), BraceBlock);
  std::string printed = source.printed();
  EXPECT_LT(printed.size(), 600u);
  EXPECT_EQ(printed.substr(0, 16), "t.spl:2:5000001:");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(printed).split(lines, '\n');
  EXPECT_TRUE(lines[1].starts_with("...xxx") && lines[1].ends_with("yyy..."));
  EXPECT_EQ(lines[1].find("HERE"), lines[2].find("^~~~"));
}

TEST(Engine, PlacesCaretsBesideWideAndOddCharacters) {
  Source source("\t\"\xE6\xBC\xA2\xE5\xAD\x97 \xC3\xA9\x01\" bad\r\nnext");
  source.diagnostics.emit(rangeOf(source.text, "bad"), BraceBlock);
  EXPECT_EQ(source.printed(),
            "t.spl:1:15: error: blocks have no braces; write ':' and indent the block "
            "[brace-block]\n \"\xE6\xBC\xA2\xE5\xAD\x97 \xC3\xA9?\" bad\n           ^~~\n");
}

TEST(Engine, ShowsInvalidUtf8AsText) {
  Source source("ab \xFF\xC3 cd");
  source.diagnostics.emit(rangeOf(source.text, "\xFF"), InvalidUtf8, "");
  EXPECT_NE(source.printed().find("\nab ?? cd\n   ^\n"), std::string::npos) << source.printed();
}

TEST(Engine, PointsPastTheEnd) {
  Source source("ab");
  source.diagnostics.emit({source.text.end(), source.text.end()}, BraceBlock);
  EXPECT_NE(source.printed().find(":1:3: "), std::string::npos);
  EXPECT_NE(source.printed().find("\nab\n  ^\n"), std::string::npos);
}

TEST(Engine, MarksOnlyTheFirstLineOfARange) {
  Source source("ab cd\nef\n");
  source.diagnostics.emit({source.text.begin() + 3, source.text.end()}, BraceBlock);
  EXPECT_NE(source.printed().find("\nab cd\n   ^~\n"), std::string::npos) << source.printed();
}

TEST(Engine, ColoursOnlyWhenAsked) {
  Source source("ab");
  source.diagnostics.emit(rangeOf(source.text, "ab"), BraceBlock);
  std::string coloured;
  llvm::raw_string_ostream os(coloured);
  source.diagnostics.print(os, /*colour=*/true);
  EXPECT_NE(coloured.find("\x1B["), std::string::npos);
  EXPECT_EQ(source.printed().find('\x1B'), std::string::npos);
}

TEST(Engine, WritesJson) {
  Source source("val \xFF y\n");
  source.diagnostics.emit(rangeOf(source.text, "val"), ExpectedType, source.text.trim().str(), "")
      .note(rangeOf(source.text, "y"), OpenedHere, "(")
      .fix("var");
  std::string json;
  llvm::raw_string_ostream os(json);
  source.diagnostics.printJson(os);
  EXPECT_EQ(json, "{\"column\":1,\"endColumn\":4,\"endLine\":1,\"file\":\"t.spl\",\"fix\":\"var\","
                  "\"line\":1,\"message\":\"expected a type, found val \xEF\xBF\xBD y\","
                  "\"name\":\"expected-type\",\"notes\":[{\"column\":7,\"endColumn\":8,"
                  "\"endLine\":1,\"file\":\"t.spl\",\"line\":1,\"message\":\"'(' is opened here\","
                  "\"name\":\"opened-here\",\"notes\":[],\"severity\":\"note\"}],"
                  "\"severity\":\"error\"}\n");
}

TEST(Table, HasUniqueNames) {
  std::set<std::string> names;
  for (unsigned kind = 0; kind != count(); ++kind)
    EXPECT_TRUE(names.insert(info(Kind(kind)).name.str()).second) << info(Kind(kind)).name.str();
}

TEST(SourceManager, ReadsFiles) {
  llvm::SmallString<64> path;
  int descriptor;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("source", "spl", descriptor, path));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << "one\ntwo\n";
  SourceManager sources;
  llvm::Expected<llvm::StringRef> text = sources.addFile(path);
  ASSERT_TRUE(bool(text));
  EXPECT_EQ(*text, "one\ntwo\n");
  Position place = sources.position(text->begin() + 5);
  EXPECT_EQ(place.file, path);
  EXPECT_EQ(place.line, 2u);
  EXPECT_EQ(place.column, 2u);
  llvm::sys::fs::remove(path);
  EXPECT_EQ(sources.position("elsewhere").line, 0u);
}

TEST(SourceManager, SaysWhyAFileCannotBeRead) {
  SourceManager sources;
  EXPECT_EQ(llvm::toString(sources.addFile("/").takeError()), "it is a folder");
  EXPECT_EQ(llvm::toString(sources.addFile("no/such.spl").takeError()),
            "No such file or directory");
  llvm::SmallString<64> path;
  int descriptor;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("source", "spl", descriptor, path));
  ASSERT_FALSE(llvm::sys::fs::resize_file(descriptor, (uint64_t(1) << 31) + 1));
  llvm::sys::fs::file_t file = llvm::sys::fs::convertFDToNativeFile(descriptor);
  llvm::sys::fs::closeFile(file);
  EXPECT_EQ(llvm::toString(sources.addFile(path).takeError()), "the file is larger than 2 GiB");
  llvm::sys::fs::remove(path);
}

TEST(SourceManager, ReadsWhatHasNoSize) {
  SourceManager sources;
  llvm::Expected<llvm::StringRef> text = sources.addFile("/dev/null");
  ASSERT_TRUE(bool(text));
  EXPECT_EQ(*text, "");
}

} // namespace

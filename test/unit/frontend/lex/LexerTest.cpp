// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests tokens, indentation and literals, valid and invalid.

#include "ParsedSource.h"
#include <gtest/gtest.h>

using spl::test::Source;
using namespace spl::lex;

namespace {

struct Lexed : Source {
  explicit Lexed(llvm::StringRef content) : Source(content) {
    Lexer lexer(text, diagnostics);
    do {
      tokens.push_back(lexer.next());
      kinds += (kinds.empty() ? "" : " ") + name(tokens.back().kind).str();
    } while (!tokens.back().is(TokenKind::EndOfFile));
    EXPECT_EQ(lexer.next().kind, TokenKind::EndOfFile) << "EndOfFile is given for ever";
  }
  std::vector<Token> tokens;
  std::string kinds;
};

struct Row {
  const char *text;
  const char *expected;
};

class Layout : public testing::TestWithParam<Row> {};

TEST_P(Layout, GivesTokens) {
  Lexed lexed(GetParam().text);
  EXPECT_EQ(lexed.kinds, GetParam().expected) << GetParam().text;
  EXPECT_EQ(lexed.messages(), "");
}

const Row layouts[] = {
    {"", "EndOfFile"},
    {"\xEF\xBB\xBF", "EndOfFile"},
    {"\n\n  \n\t\n", "EndOfFile"},
    {"# comment", "EndOfFile"},
    {"  # comment\n\t# comment\r\n", "EndOfFile"},
    {"a", "Identifier Newline EndOfFile"},
    {"a\n", "Identifier Newline EndOfFile"},
    {"a # comment", "Identifier Newline EndOfFile"},
    {"a\tb\r\n", "Identifier Identifier Newline EndOfFile"},
    {"a\n b\n", "Identifier Newline Indent Identifier Newline Dedent EndOfFile"},
    {"a\n b", "Identifier Newline Indent Identifier Newline Dedent EndOfFile"},
    {"a\n\n# c\n b\n\n   # c\nc", "Identifier Newline Indent Identifier Newline Dedent Identifier "
                                  "Newline EndOfFile"},
    {"a\n b\n  c\nd", "Identifier Newline Indent Identifier Newline Indent Identifier Newline "
                      "Dedent Dedent Identifier Newline EndOfFile"},
    {"a(\n  b\nc)\n", "Identifier LParen Identifier Identifier RParen Newline EndOfFile"},
    {"{\n  [\n# (\n]}\n", "LBrace LBracket RBracket RBrace Newline EndOfFile"},
    {"#[gpu]\nfn", "HashLBracket Identifier RBracket Newline Fn Newline EndOfFile"},
    {"\"\"\"a\n  b\"\"\"\n", "Docstring Newline EndOfFile"},
    {"\"a\\\"b\" \"\"", "String String Newline EndOfFile"},
    {"0..n 0..=n 1.x 1.5", "Int DotDot Identifier Int DotDotEqual Identifier Int Dot Identifier "
                           "Float Newline EndOfFile"},
    {"a--b a**=b", "Identifier Minus Minus Identifier Identifier StarStar Equal Identifier Newline "
                   "EndOfFile"},
    {"iffy if _x fnord", "Identifier If Identifier Identifier Newline EndOfFile"},
};

INSTANTIATE_TEST_SUITE_P(Lexer, Layout, testing::ValuesIn(layouts));

TEST(Lexer, LexesEveryFixedTokenAsItself) {
#define PUNCTUATION(Id, Spelling) EXPECT_EQ(Lexed(Spelling).tokens[0].kind, TokenKind::Id);
#define KEYWORD(Id, Spelling) EXPECT_EQ(Lexed(Spelling).tokens[0].kind, TokenKind::Id);
#include "frontend/lex/Tokens.def"
}

struct NumberRow {
  const char *text;
  TokenKind kind;
  uint64_t value;
  const char *suffix;
};

TEST(Lexer, ReadsNumbers) {
  const NumberRow rows[] = {
      {"0", TokenKind::Int, 0, ""},
      {"00", TokenKind::Int, 0, ""},
      {"1_000", TokenKind::Int, 1000, ""},
      {"0xff", TokenKind::Int, 255, ""},
      {"0x_FF_u8", TokenKind::Int, 255, "u8"},
      {"0xdeadBEEFi64", TokenKind::Int, 0xdeadbeef, "i64"},
      {"0x1f32", TokenKind::Int, 0x1f32, ""},
      {"0b1010", TokenKind::Int, 10, ""},
      {"0b1u16", TokenKind::Int, 1, "u16"},
      {"18446744073709551615", TokenKind::Int, UINT64_MAX, ""},
      {"0xffffffffffffffff", TokenKind::Int, UINT64_MAX, ""},
      {"0x0000000000000000000001", TokenKind::Int, 1, ""},
      {"7u32", TokenKind::Int, 7, "u32"},
      {"7f32", TokenKind::Float, 0, "f32"},
      {"0bf16", TokenKind::Float, 0, "bf16"},
      {"1.5e-3", TokenKind::Float, 0, ""},
      {"1e5", TokenKind::Float, 0, ""},
      {"1E+5f64", TokenKind::Float, 0, "f64"},
      {"2.0f64", TokenKind::Float, 0, "f64"},
      {"00.5", TokenKind::Float, 0, ""},
  };
  for (const NumberRow &row : rows) {
    Lexed lexed(row.text);
    EXPECT_EQ(lexed.messages(), "") << row.text;
    EXPECT_EQ(lexed.tokens[0].kind, row.kind) << row.text;
    EXPECT_EQ(lexed.tokens[0].value, row.value) << row.text;
    EXPECT_EQ(lexed.tokens[0].suffix(), row.suffix) << row.text;
    EXPECT_EQ(lexed.tokens[0].text(), row.text);
    EXPECT_EQ(lexed.tokens[1].kind, TokenKind::Newline) << row.text;
  }
}

TEST(Lexer, RefusesBadNumbersOnce) {
  const Row rows[] = {
      {"0x", "1:1 invalid-number\n"},
      {"0x_", "1:1 invalid-number\n"},
      {"0xg", "1:1 invalid-number\n"},
      {"0b", "1:1 invalid-number\n"},
      {"0b12", "1:1 invalid-number\n"},
      {"0o17", "1:1 invalid-number\n"},
      {"0XFF", "1:1 invalid-number\n"},
      {"0B1", "1:1 invalid-number\n"},
      {"010", "1:1 invalid-number\n"},
      {"1__0", "1:1 invalid-number\n"},
      {"1_", "1:1 invalid-number\n"},
      {"1_.5", "1:1 invalid-number\n"},
      {"1e", "1:1 invalid-number\n"},
      {"1e+", "1:1 invalid-number\n"},
      {"1.5e-x", "1:1 invalid-number\n"},
      {"1e_5", "1:1 invalid-number\n"},
      {"12abc", "1:3 unknown-suffix\n"},
      {"7u33", "1:2 unknown-suffix\n"},
      {"1.5u32", "1:4 unknown-suffix\n"},
      {"0b1f32", "1:4 unknown-suffix\n"},
      {"0xffu128", "1:5 unknown-suffix\n"},
      {"18446744073709551616", "1:1 literal-too-large\n"},
      {"0x10000000000000000", "1:1 literal-too-large\n"},
      {"999999999999999999999999999999999999u8", "1:1 literal-too-large\n"},
  };
  for (const Row &row : rows) {
    Lexed lexed(row.text);
    EXPECT_EQ(lexed.messages(), row.expected) << row.text;
    EXPECT_EQ(lexed.tokens[0].kind, TokenKind::InvalidLiteral) << row.text;
  }
  EXPECT_EQ(Lexed(std::string(2000, '1') + ".5").messages(), "1:1 invalid-number\n");
}

TEST(Lexer, ReportsItsErrorsOnce) {
  const Row rows[] = {
      {"\"abc\nx", "1:1 unterminated-string\n"},
      {"\"abc\\", "1:1 unterminated-string\n"},
      {"\"\"\"abc\nx\n", "1:1 unterminated-docstring\n"},
      {"\"\"\"\"\"", "1:1 unterminated-docstring\n"},
      {"a $$$`'\\ b", "1:3 unexpected-character\n"},
      {"a \xE2\x80\x9Cx\xE2\x80\x9D", "1:3 unexpected-character\n1:7 unexpected-character\n"},
      {"a \x01\x02\x7F", "1:3 unexpected-character\n"},
      {"a\rb", "1:2 unexpected-character\n"},
      {"a(b\nc(\n", "1:2 unclosed-bracket\n2:2 unclosed-bracket\n"},
      {"a(b\nval c\n d", "1:2 unclosed-bracket\n"},
      {"a\n\tb\n\tc\n", "2:1 tab-in-indentation\n"},
      {"a\n  \tb\n", "2:3 tab-in-indentation\n"},
      {"a\n        b\n    c\n    d\n        e\nf", "3:1 inconsistent-dedent\n"},
      {"a\n    b\n        c\n  d\n      e", "4:1 inconsistent-dedent\n"},
      {"# \xFF", "1:3 invalid-utf8\n"},
      {"a\n\xC3(", "2:1 invalid-utf8\n"},
      {"\xFF\xFE"
       "a",
       "1:1 invalid-utf8\n"},
      {"\xED\xA0\x80", "1:1 invalid-utf8\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(Lexed(row.text).messages(), row.expected) << row.text;
  EXPECT_EQ(Lexed(llvm::StringRef("a\n\0b", 4)).messages(), "2:1 nul-byte\n");
}

TEST(Lexer, NamesTheColumnsThatWouldFit) {
  EXPECT_EQ(Lexed("a\n    b\n        c\n      d\n").printed(),
            "t.spl:4:1: error: indentation of 6 spaces does not match any open block; expected 0, "
            "4 or 8 spaces "
            "[inconsistent-dedent]\n      d\n^~~~~~\n");
}

TEST(Lexer, PairsIndentsWithDedents) {
  for (const char *text : {"a\n  b\n c\n", "a\n        b\n    c\n  d\n      e\nf\n", "  a\n b\nc",
                           "a\n\tb\n    c\n\t\td\n"}) {
    Lexed lexed(text);
    int depth = 0;
    for (const Token &token : lexed.tokens) {
      depth += token.is(TokenKind::Indent) - token.is(TokenKind::Dedent);
      EXPECT_GE(depth, 0) << text;
    }
    EXPECT_EQ(depth, 0) << text;
  }
}

TEST(Lexer, DumpsTokensWithPlaces) {
  Source source("a(\n  1_0)\n");
  std::string dumped;
  llvm::raw_string_ostream os(dumped);
  dumpTokens(source.text, source.diagnostics, os);
  EXPECT_EQ(dumped, "1:1 Identifier 'a'\n1:2 LParen\n2:3 Int '1_0'\n2:6 RParen\n2:7 Newline\n"
                    "3:1 EndOfFile\n");
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles many damaged and random sources. Each gives diagnostics or a result. An accepted program
// goes through all later stages.
#include "driver/Compilation.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

using namespace spl;

namespace {

struct RunResult {
  bool done;
  unsigned errors;
  std::string text; ///< the printed diagnostics
};

RunResult compile(const std::string &text, const char *kind) {
  driver::CompileOptions options;
  options.codegen.target = cantFail(codegen::TargetSpec::parse("sm_75"));
  driver::Compilation compilation(options);
  compilation.setText("damaged.spl", text);
  llvm::SmallVector<char, 0> output;
  RunResult result;
  result.done = compilation.emit(kind, output);
  result.errors = compilation.diagnostics().errorCount();
  llvm::raw_string_ostream os(result.text);
  compilation.diagnostics().print(os, /*colour=*/false);
  return result;
}

/// A failure must have an error of the program as its reason. A success must have none.
RunResult expectAnswer(const std::string &text, const char *kind) {
  RunResult result = compile(text, kind);
  EXPECT_EQ(result.done, result.errors == 0) << result.text << "\nof:\n" << text;
  EXPECT_EQ(result.text.find("[codegen-failed]"), std::string::npos) << result.text << "\nof:\n"
                                                                     << text;
  return result;
}

std::string readExample(const std::string &name) {
  std::ifstream stream(std::string(SPL_EXAMPLES_FOLDER) + "/" + name);
  std::stringstream contents;
  contents << stream.rdbuf();
  EXPECT_GT(contents.str().size(), 100u) << name;
  return contents.str();
}

const char *const examples[] = {"vector_add.spl", "saxpy.spl", "mandelbrot.spl"};

std::size_t below(std::mt19937_64 &generator, std::size_t limit) { return generator() % limit; }

/// Words of the language in random order, in lines of random indentation.
std::string tokenSoup(std::mt19937_64 &generator) {
  static const char *const words[] = {"fn",
                                      "#[gpu]",
                                      "val",
                                      "var",
                                      "if",
                                      "elif",
                                      "else",
                                      "while",
                                      "for",
                                      "in",
                                      "..",
                                      "return",
                                      "break",
                                      "continue",
                                      "pass",
                                      "and",
                                      "or",
                                      "not",
                                      "as",
                                      "true",
                                      "false",
                                      "i32",
                                      "f32",
                                      "bool",
                                      "&[f32]",
                                      "&mut [i32]",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      "{",
                                      "}",
                                      ":",
                                      ",",
                                      ".",
                                      "->",
                                      "=",
                                      "==",
                                      "!=",
                                      "<",
                                      "<=",
                                      ">>",
                                      "+",
                                      "-",
                                      "*",
                                      "**",
                                      "/",
                                      "%",
                                      "&",
                                      "|",
                                      "^",
                                      "~",
                                      "+=",
                                      "<<=",
                                      "x",
                                      "y",
                                      "out",
                                      "gpu",
                                      "global_id",
                                      "math",
                                      "sqrt",
                                      "len",
                                      "k",
                                      "0",
                                      "1",
                                      "2.5",
                                      "0xff",
                                      "7u8",
                                      "1e9",
                                      "\"text\"",
                                      "\"\"\"doc\"\"\"",
                                      "# comment",
                                      "struct",
                                      "match",
                                      "print",
                                      "assert",
                                      ";",
                                      "\\",
                                      "@",
                                      "1_",
                                      "0b",
                                      "'",
                                      "\"",
                                      "\t",
                                      "\xc3\xa9",
                                      "..=",
                                      "step",
                                      "&&",
                                      "++",
                                      "!"};
  std::string text;
  const std::size_t lines = 1 + below(generator, 12);
  for (std::size_t line = 0; line != lines; ++line) {
    text.append(4 * below(generator, 4), ' ');
    for (std::size_t count = below(generator, 9); count != 0; --count)
      text += std::string(words[below(generator, std::size(words))]) +
              (below(generator, 4) == 0 ? "" : " ");
    text += '\n';
  }
  return text;
}

} // namespace

TEST(BadInput, EveryByteAlone) {
  const std::string kernel = "#[gpu]\nfn k(out: &mut [i32]):\n    out[0] = 1\n";
  for (int byte = 0; byte != 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    EXPECT_GT(expectAnswer(one, "ptx").errors, 0u) << byte;
    expectAnswer(one + kernel, "mir");
    expectAnswer(kernel + one, "mir");
    expectAnswer(kernel.substr(0, 20) + one + kernel.substr(20), "mir");
    expectAnswer(kernel.substr(0, 40) + one + kernel.substr(40), "mir");
  }
}

TEST(BadInput, OnlyAMarkOfByteOrder) { EXPECT_EQ(expectAnswer("\xef\xbb\xbf", "ptx").errors, 1u); }

TEST(BadInput, EveryPrefixOfTheExamples) {
  for (const char *name : examples) {
    const std::string text = readExample(name);
    for (std::size_t length = 0; length <= text.size(); ++length)
      expectAnswer(text.substr(0, length), "mir");
    EXPECT_TRUE(expectAnswer(text, "ptx").done) << name;
  }
}

TEST(BadInput, EverySuffixOfTheExamples) {
  for (const char *name : examples) {
    const std::string text = readExample(name);
    for (std::size_t start = 0; start <= text.size(); ++start)
      expectAnswer(text.substr(start), "mir");
  }
}

// A changed digit or name may be valid. Such programs are compiled completely.
TEST(BadInput, ExamplesWithAByteChanged) {
  std::mt19937_64 generator(1);
  unsigned accepted = 0;
  for (int round = 0; round != 500; ++round) {
    std::string text = readExample(examples[round % 3]);
    text[below(generator, text.size())] =
        static_cast<char>(round % 4 == 0 ? below(generator, 256) : 32 + below(generator, 95));
    const RunResult result = expectAnswer(text, round % 5 == 0 ? "ptx" : "mir-final");
    accepted += result.done;
    EXPECT_LE(result.errors, 5u) << "one error:\n" << result.text;
  }
  EXPECT_GT(accepted, 50u);
  EXPECT_LT(accepted, 450u);
}

TEST(BadInput, ExamplesWithALineMovedOrLost) {
  std::mt19937_64 generator(2);
  for (int round = 0; round != 300; ++round) {
    std::vector<std::string> lines;
    std::stringstream stream(readExample(examples[round % 3]));
    for (std::string line; std::getline(stream, line);)
      lines.push_back(line + "\n");
    const std::size_t from = below(generator, lines.size());
    const std::string moved = lines[from];
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(from));
    if (round % 2 == 0)
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(generator, lines.size())),
                   moved);
    std::string text;
    for (const std::string &line : lines)
      text += line;
    expectAnswer(text, round % 5 == 0 ? "ptx" : "mir-final");
  }
}

TEST(BadInput, SoupOfTokens) {
  std::mt19937_64 generator(3);
  for (int round = 0; round != 2000; ++round)
    expectAnswer(tokenSoup(generator), "mir-final");
}

// The tokens are the body of a kernel, so that later phases see more of them.
TEST(BadInput, SoupOfTokensInAKernel) {
  std::mt19937_64 generator(4);
  for (int round = 0; round != 2000; ++round) {
    std::string body = tokenSoup(generator);
    for (std::size_t at = 0; at < body.size(); at = body.find('\n', at) + 1)
      body.insert(at, "    ");
    expectAnswer("#[gpu]\nfn k(x: i32, y: f32, out: &mut [i32]):\n    val i = x\n" + body,
                 "mir-final");
  }
}

TEST(BadInput, RandomBytes) {
  std::mt19937_64 generator(5);
  for (int round = 0; round != 200; ++round) {
    std::string text(1 + below(generator, 300), '\0');
    for (char &byte : text)
      byte = static_cast<char>(round % 2 == 0 ? generator() : 32 + below(generator, 95));
    EXPECT_FALSE(expectAnswer(text, "ptx").done) << text;
  }
  std::string megabyte(1 << 20, '\0');
  for (char &byte : megabyte)
    byte = static_cast<char>(generator());
  EXPECT_FALSE(expectAnswer(megabyte, "ptx").done);
}

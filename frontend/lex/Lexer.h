// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From text to tokens, one at a time. Besides the tokens that are in the text it gives the
// layout: Newline at the end of each line that holds tokens, Indent and Dedent around blocks
// (always in pairs), EndOfFile for ever at the end. Inside brackets there is no layout.
//
// Never fails: an error is reported to the engine once and gives an InvalidLiteral (a number that
// is none) or an Invalid token. Works on any bytes in linear time; a text that is not valid UTF-8
// or holds NUL bytes gives one diagnostic and no tokens. A logical line whose brackets do not pair
// (Brackets.h) is reported when its end is lexed, or before by reportBrackets.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/lex/Brackets.h"
#include "frontend/lex/Token.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class raw_ostream;
}
namespace spl::lex {

class Lexer {
public:
  /// text must be a buffer of the engine's SourceManager, which a NUL byte follows, or a part of
  /// one that ends with a closing bracket.
  Lexer(llvm::StringRef text, diag::Engine &diagnostics);

  Token next();

  /// While quiet, errors are not reported: for text that is skipped after an error.
  void setQuiet(bool quiet) { isQuiet = quiet; }
  /// Whether the brackets of the logical line at that place do not pair. Reports it, once.
  bool reportBrackets(const char *place);

private:
  Token make(TokenKind kind, const char *begin) const;
  void skipComment();
  Token lexToken();
  Token lexIdentifier();
  Token lexNumber();
  Token lexString();
  Token lexDocstring();
  Token lexPunctuation();
  Token lexUnexpected();
  Token finish();

  // Layout.cpp
  bool startLine();
  unsigned measureIndentation(bool &sawTab);
  void closeBlocks(unsigned column, const char *lineStart, bool sawTab);
  void trackBracket(char c);
  bool lineEndsHere();
  BracketFault *faultAt(const char *place);

  template <class... Kinds, class... Args>
  void report(diag::SourceRange range, diag::Diagnostic<Kinds...> kind, Args &&...args) {
    if (!isQuiet)
      diagnostics.emit(range, kind, std::forward<Args>(args)...);
  }

  diag::Engine &diagnostics;
  const char *cursor;
  const char *end;
  std::vector<BracketFault> faults;
  unsigned openBrackets = 0;               ///< in a logical line whose brackets pair
  llvm::SmallVector<unsigned, 16> indents; ///< columns of the open blocks, innermost last
  unsigned pendingDedents = 0;
  bool pendingIndent = false;
  /// A wrong column that was reported and counts as the innermost block's; none when negative.
  int toleratedColumn = -1;
  bool atLineStart = true;
  bool lineHasTokens = false;
  bool tabWasReported = false;
  bool isQuiet = false;
};

/// One token a line for --emit tokens: line:column, kind, text. Reports the lexer's errors.
void dumpTokens(llvm::StringRef text, diag::Engine &diagnostics, llvm::raw_ostream &os);

//===-- Parts of the lexer, each in its own file --===//

/// Reports a text that is not UTF-8 or not text at all. Returns whether it can be lexed.
bool validateText(llvm::StringRef text, diag::Engine &diagnostics);

/// What a number's text turned out to be. problem is null for a good one.
struct Number {
  const char *end; ///< after its last character
  TokenKind kind = TokenKind::Int;
  uint64_t value = 0; ///< Int
  uint8_t suffixLength = 0;
  enum class Problem : uint8_t { None, Malformed, Suffix, TooLarge } problem = Problem::None;
  llvm::StringRef why = {};           ///< Malformed: the reason; Suffix: what suffixes there are
  const char *problemBegin = nullptr; ///< Suffix: where it begins
};
/// Reads a number at the front of a text that begins with a digit.
Number scanNumber(const char *begin, const char *end);

/// What to write for digits with a suffix of C or CUDA, 0.1f or 10UL; empty for other suffixes.
std::string literalForForeign(llvm::StringRef digits, llvm::StringRef suffix, bool isFloat);

bool isIdentifierStart(char c);
bool isIdentifierPart(char c);
bool isDigit(char c);

} // namespace spl::lex

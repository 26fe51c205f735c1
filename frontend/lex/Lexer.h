// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lexes a text, one token at a time. Layout is tokens too: Newline at the end of each line with
// tokens, and pairs of Indent and Dedent around blocks. There is no layout inside brackets. At the
// end of the text every call returns EndOfFile.
//
// Never fails. An error is reported once and becomes an InvalidLiteral or an Invalid token. Works
// on any bytes, in linear time. A text that is not valid UTF-8 or has NUL bytes gives one
// diagnostic and no tokens. Brackets that do not pair (Brackets.h) are reported when the end of
// their logical line is lexed, or earlier by reportBrackets.
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
  /// `text` is a whole buffer of the engine's SourceManager, which a NUL byte follows. Or it is a
  /// part of a buffer that ends with a closing bracket.
  Lexer(llvm::StringRef text, diag::Engine &diagnostics);

  Token next();

  /// A quiet lexer reports no errors. The parser uses it to skip text after an error.
  void setQuiet(bool quiet) { isQuiet = quiet; }
  /// Returns whether the logical line that contains `place` has unpaired brackets. The first call
  /// for a line reports them.
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
  unsigned openBrackets = 0;               ///< counted only in logical lines whose brackets pair
  llvm::SmallVector<unsigned, 16> indents; ///< columns of the open blocks, innermost last
  unsigned pendingDedents = 0;
  bool pendingIndent = false;
  /// A wrong indentation that is reported already. Later lines with this indentation belong to the
  /// innermost block. Negative if there is none.
  int toleratedColumn = -1;
  bool atLineStart = true;
  bool lineHasTokens = false;
  bool tabWasReported = false;
  bool isQuiet = false;
};

/// Prints one token in each line for --emit tokens: line:column, kind, text. Reports the errors of
/// the lexer.
void dumpTokens(llvm::StringRef text, diag::Engine &diagnostics, llvm::raw_ostream &os);

//===-- Parts of the lexer, each in its own file --===//

/// Reports a text that is not UTF-8 or that is binary. Returns whether the text can be lexed.
bool validateText(llvm::StringRef text, diag::Engine &diagnostics);

/// A scanned number. `problem` is None if the number is well-formed.
struct Number {
  const char *end; ///< after its last character
  TokenKind kind = TokenKind::Int;
  uint64_t value = 0; ///< Int
  uint8_t suffixLength = 0;
  enum class Problem : uint8_t { None, Malformed, Suffix, TooLarge } problem = Problem::None;
  llvm::StringRef why = {};           ///< Malformed: the reason; Suffix: the suffixes that exist
  const char *problemBegin = nullptr; ///< Suffix: the start of the suffix
};
/// Scans the number at the beginning of a text that begins with a digit.
Number scanNumber(const char *begin, const char *end);

/// Returns this language's spelling of a number with a suffix of C or CUDA, such as 0.1f or 10UL.
/// Returns an empty text for other suffixes.
std::string literalForForeign(llvm::StringRef digits, llvm::StringRef suffix, bool isFloat);

bool isIdentifierStart(char c);
bool isIdentifierPart(char c);
bool isDigit(char c);

} // namespace spl::lex

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lexer's layout: indentation to Indent and Dedent, and brackets, which suspend it.

#include "frontend/diag/Engine.h"
#include "frontend/lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace spl::lex {

/// What a tab counts as, after it was reported: a guess that keeps later lines in their blocks.
static constexpr unsigned tabWidth = 4;

/// Moves the cursor over the white space at a line's start. Answers the column of what follows.
unsigned Lexer::measureIndentation(bool &sawTab) {
  unsigned column = 0;
  for (; *cursor == ' ' || *cursor == '\t'; ++cursor) {
    sawTab |= *cursor == '\t';
    column = *cursor == '\t' ? (column / tabWidth + 1) * tabWidth : column + 1;
  }
  return column;
}

/// Reads the indentation of one line and notes the Indent or Dedents that it means. Answers false
/// for a line that holds no tokens, which is skipped.
bool Lexer::startLine() {
  const char *lineStart = cursor;
  bool sawTab = false;
  unsigned column = measureIndentation(sawTab);
  if (*cursor == '\r' && cursor[1] == '\n')
    ++cursor;
  if (*cursor == '\n') {
    ++cursor;
    return false;
  }
  atLineStart = false;
  bool isComment = *cursor == '#' && cursor[1] != '[';
  if (cursor == end || isComment)
    return true;
  if (sawTab && !tabWasReported && !isQuiet) {
    tabWasReported = true;
    const char *tab = lineStart + StringRef(lineStart, cursor - lineStart).find('\t');
    report({tab, tab + 1}, diag::TabInIndentation);
  }
  if (int(column) == toleratedColumn || column == indents.back())
    return true;
  if (column > indents.back()) {
    indents.push_back(column);
    toleratedColumn = -1;
    pendingIndent = true;
    return true;
  }
  closeBlocks(column, lineStart, sawTab);
  return true;
}

static std::string spaces(unsigned count) {
  return std::to_string(count) + (count == 1 ? " space" : " spaces");
}

/// The columns a line could have had, the nearest few: "0, 4 or 8 spaces".
static std::string fittingColumns(llvm::ArrayRef<unsigned> indents) {
  llvm::ArrayRef<unsigned> nearest = indents.take_back(4);
  std::string text;
  for (unsigned column : nearest.drop_back())
    text += (text.empty() ? "" : ", ") + std::to_string(column);
  return text + (text.empty() ? "" : " or ") + spaces(nearest.back());
}

/// Closes the blocks that lie deeper than the column. A column between two blocks is an error and
/// counts as the inner one's from then on, so that one slip is one message.
void Lexer::closeBlocks(unsigned column, const char *lineStart, bool sawTab) {
  llvm::SmallVector<unsigned, 16> before(indents.end() - std::min<size_t>(4, indents.size()),
                                         indents.end());
  toleratedColumn = -1;
  while (indents.size() > 1 && indents[indents.size() - 2] >= column) {
    indents.pop_back();
    ++pendingDedents;
  }
  if (indents.back() == column)
    return;
  toleratedColumn = int(column);
  if (!sawTab && !tabWasReported)
    report({lineStart, cursor}, diag::InconsistentDedent, spaces(column), fittingColumns(before));
}

static char openingOf(char closing) { return closing == ')' ? '(' : closing == ']' ? '[' : '{'; }

/// Counts the bracket, where it is one. False for a closing one that closes nothing.
bool Lexer::trackBracket(const char *bracket) {
  char c = *bracket;
  if (c == '(' || c == '[' || c == '{') {
    brackets.push_back(bracket);
    ++openCount(c);
  } else if (c == ')' || c == ']' || c == '}') {
    return closeBracket(c);
  }
  return true;
}

/// Closes the innermost bracket of that kind and what is open inside it; a closing bracket that
/// fits none changes nothing. The parser reports both. Counting keeps this linear.
bool Lexer::closeBracket(char closing) {
  char opening = openingOf(closing);
  unsigned &open = openCount(opening);
  if (open == 0)
    return false;
  while (*brackets.back() != opening) {
    --openCount(*brackets.back());
    brackets.pop_back();
  }
  --open;
  brackets.pop_back();
  return true;
}

/// Inside a bracket: whether the line after the cursor begins as no expression can go on, which
/// means that the bracket was forgotten. Inside braces, which may be another language's blocks,
/// only an item that is not indented means that.
bool Lexer::nextLineStartsStatement() const {
  const char *place = cursor + 1;
  if (*place == '#' && place[1] == '[')
    return true;
  while (*place == ' ' || *place == '\t')
    ++place;
  const char *wordEnd = place;
  while (isIdentifierPart(*wordEnd))
    ++wordEnd;
  StringRef word(place, wordEnd - place);
  if (openBraces != 0)
    return place == cursor + 1 && llvm::StringSwitch<bool>(word)
                                      .Cases({"fn", "struct", "enum", "const", "use"}, true)
                                      .Default(false);
  return llvm::StringSwitch<bool>(word)
      .Cases({"fn", "val", "var", "while", "for", "return", "break", "continue", "pass", "elif"},
             true)
      .Cases({"struct", "enum", "match", "print", "assert", "use"}, true)
      .Default(false);
}

/// Ends the line with an error at the innermost open bracket.
Token Lexer::reportUnclosedBracket() {
  const char *opening = brackets.back();
  report({opening, opening + 1}, diag::UnclosedBracket, StringRef(opening, 1));
  forgetBrackets();
  lineHasTokens = true;
  return make(TokenKind::Invalid, cursor);
}

} // namespace spl::lex

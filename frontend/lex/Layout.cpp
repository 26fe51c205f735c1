// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout: makes Indent and Dedent tokens of the indentation. Inside brackets there is no
// layout.

#include "frontend/diag/Engine.h"
#include "frontend/lex/Brackets.h"
#include "frontend/lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using llvm::StringRef;

namespace spl::lex {

/// The assumed width of a tab, which is an error. A good guess keeps later lines in their blocks.
static constexpr unsigned tabWidth = 4;

/// Skips the white space at the start of a line. Returns the column of the first token.
unsigned Lexer::measureIndentation(bool &sawTab) {
  unsigned column = 0;
  for (; *cursor == ' ' || *cursor == '\t'; ++cursor) {
    sawTab |= *cursor == '\t';
    column = *cursor == '\t' ? (column / tabWidth + 1) * tabWidth : column + 1;
  }
  return column;
}

/// Reads the indentation of a line and sets the pending Indent or Dedents. Skips a line without
/// tokens and returns false for it.
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
  if (cursor == end || isComment(cursor, end))
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

/// Returns the valid columns next to the line's column as text: "0, 4 or 8 spaces".
static std::string fittingColumns(llvm::ArrayRef<unsigned> indents) {
  llvm::ArrayRef<unsigned> nearest = indents.take_back(4);
  std::string text;
  for (unsigned column : nearest.drop_back())
    text += (text.empty() ? "" : ", ") + std::to_string(column);
  return text + (text.empty() ? "" : " or ") + spaces(nearest.back());
}

/// Closes the blocks that are deeper than the column. A column between two blocks is an error.
/// Later lines with that column belong to the inner block, so that the error is reported once.
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

void Lexer::trackBracket(char c) {
  if (c == '(' || c == '[' || c == '{')
    ++openBrackets;
  else if ((c == ')' || c == ']' || c == '}') && openBrackets != 0)
    --openBrackets;
}

/// Returns whether the end of the physical line is the end of the logical line.
bool Lexer::lineEndsHere() {
  if (BracketFault *fault = faultAt(cursor)) {
    if (cursor != fault->lineEnd)
      return false;
    openBrackets = 0;
    reportBrackets(cursor);
  }
  return openBrackets == 0;
}

BracketFault *Lexer::faultAt(const char *place) {
  auto found = llvm::partition_point(
      faults, [&](const BracketFault &fault) { return fault.lineEnd < place; });
  return found != faults.end() && found->isIn(place) ? &*found : nullptr;
}

bool Lexer::reportBrackets(const char *place) {
  BracketFault *fault = faultAt(place);
  if (!fault)
    return false;
  if (isQuiet || std::exchange(fault->isReported, true))
    return true;
  diag::SourceRange range{fault->bracket, fault->bracket + 1};
  StringRef bracket(fault->bracket, 1);
  switch (fault->kind) {
  case BracketFault::Kind::Unclosed:
    report(range, diag::UnclosedBracket, bracket);
    break;
  case BracketFault::Kind::Unmatched:
    report(range, diag::UnmatchedBracket, bracket);
    break;
  case BracketFault::Kind::Mismatched:
    diagnostics.emit(range, diag::MismatchedBracket, bracket, StringRef(fault->opening, 1))
        .note({fault->opening, fault->opening + 1}, diag::OpenedHere, StringRef(fault->opening, 1));
    break;
  }
  return true;
}

} // namespace spl::lex

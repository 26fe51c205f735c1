// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/Brackets.h"
#include "frontend/lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>
#include <optional>

using llvm::StringRef;

namespace spl::lex {

bool isDocstring(const char *begin, const char *end) {
  return StringRef(begin, end - begin).starts_with("\"\"\"");
}

const char *closingQuote(const char *begin, const char *end) {
  const char *place = begin + 1;
  while (place != end && *place != '"' && *place != '\n')
    place += *place == '\\' && place + 1 != end && place[1] != '\n' ? 2 : 1;
  return place;
}

const char *closingQuotes(const char *begin, const char *end) {
  size_t closing = StringRef(begin + 3, end - begin - 3).find("\"\"\"");
  return closing == StringRef::npos ? end : begin + 3 + closing;
}

bool isComment(const char *begin, const char *end) {
  return begin != end && *begin == '#' && (begin + 1 == end || begin[1] != '[');
}

const char *endOfLine(const char *begin, const char *end) {
  const void *newline = std::memchr(begin, '\n', end - begin);
  return newline ? static_cast<const char *>(newline) : end;
}

namespace {

constexpr StringRef openings = "([{", closings = ")]}";

char openingOf(char closing) { return openings[closings.find(closing)]; }

/// A word, a string, a bracket or another character, without white space and comments.
struct Piece {
  enum class Kind : uint8_t { End, Newline, Opening, Closing, Word, Other } kind;
  const char *begin;
  const char *end;
  StringRef text() const { return {begin, size_t(end - begin)}; }
};

Piece nextPiece(const char *place, const char *end) {
  while (place != end && (*place == ' ' || *place == '\t' || *place == '\r'))
    ++place;
  if (isComment(place, end))
    place = endOfLine(place, end);
  if (place == end)
    return {Piece::Kind::End, end, end};
  if (*place == '\n')
    return {Piece::Kind::Newline, place, place + 1};
  if (isIdentifierPart(*place)) {
    const char *wordEnd = place;
    while (wordEnd != end && isIdentifierPart(*wordEnd))
      ++wordEnd;
    return {Piece::Kind::Word, place, wordEnd};
  }
  if (isDocstring(place, end)) {
    const char *quotes = closingQuotes(place, end);
    return {Piece::Kind::Other, place, quotes == end ? end : quotes + 3};
  }
  if (*place == '"') {
    const char *quote = closingQuote(place, end);
    return {Piece::Kind::Other, place, quote == end || *quote == '\n' ? quote : quote + 1};
  }
  if (*place == '#') // the '#' of an attribute
    ++place;
  return {openings.contains(*place)   ? Piece::Kind::Opening
          : closings.contains(*place) ? Piece::Kind::Closing
                                      : Piece::Kind::Other,
          place, place + 1};
}

/// Words that begin a statement, an item or an arm, and that cannot begin a line in brackets.
bool beginsStatement(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"fn", "val", "var", "while", "for", "return", "break", "continue", "pass", "elif"},
             true)
      .Cases({"struct", "enum", "match", "case", "print", "assert", "use"}, true)
      .Default(false);
}

bool beginsItem(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"fn", "struct", "enum", "const", "use"}, true)
      .Default(false);
}

/// Words that begin a line whose ':' at the end opens a block.
bool beginsHeader(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"fn", "struct", "enum", "if", "elif", "else", "while", "for", "match", "case"}, true)
      .Default(false);
}

/// Words that continue the expression of the previous line.
bool continuesExpression(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"and", "or", "as", "in", "not", "step", "unroll", "mut", "true", "false"}, true)
      .Default(isDigit(word.front()));
}

bool isOperatorOrComma(char c) { return StringRef(",+-*/%&|^<>=.").contains(c); }

/// A physical line with tokens, inside brackets.
struct Line {
  const char *begin; ///< its first token
  unsigned column;
  bool isAfterBlank; ///< the previous line is empty or has only a comment
  StringRef word;    ///< its first word, or empty

  /// The fields below are about the pieces of the line.
  bool closesMoreThanItOpens = false;
  /// It assigns to a place, with '=', '+=' and similar operators, or to a constant.
  bool isAssignment = false;
  char last = '\0'; ///< the last character
};

/// Whether the '=' at `equal` is an assignment and not part of a comparison.
bool isAssigning(const char *equal, const char *begin, const char *end) {
  if (equal + 1 != end && equal[1] == '=')
    return false;
  char before = equal[-1];
  bool isShift = equal - begin >= 2 && (before == '<' || before == '>') && equal[-2] == before;
  return isShift || !StringRef("=!<>").contains(before);
}

Line describeLine(const char *begin, unsigned column, bool isAfterBlank, const char *end) {
  Line line{begin, column, isAfterBlank, {}};
  unsigned depth = 0;
  bool sawColon = false;
  for (Piece piece = nextPiece(begin, end);
       piece.kind != Piece::Kind::End && piece.kind != Piece::Kind::Newline;
       piece = nextPiece(piece.end, end)) {
    if (piece.begin == begin && piece.kind == Piece::Kind::Word)
      line.word = piece.text();
    if (piece.kind == Piece::Kind::Opening)
      ++depth;
    else if (piece.kind == Piece::Kind::Closing && depth == 0)
      line.closesMoreThanItOpens = true;
    else if (piece.kind == Piece::Kind::Closing)
      --depth;
    else if (depth == 0 && *piece.begin == ':' && line.word != "const")
      sawColon = true; // a parameter or a named argument
    else if (depth == 0 && *piece.begin == '=' && !sawColon && !line.word.empty())
      line.isAssignment |= isAssigning(piece.begin, begin, end);
    line.last = piece.end[-1];
  }
  return line;
}

/// Finds the end of one logical line, and its first fault.
class LogicalLine {
public:
  /// `byIndentation` means that the brackets are known to be unpaired, so indentation also decides
  /// where a statement begins.
  LogicalLine(const char *begin, unsigned column, const char *end, bool byIndentation)
      : textEnd(end), begin(begin), column(column), byIndentation(byIndentation) {
    Piece first = nextPiece(begin, end);
    isHeader = beginsHeader(first.text());
    lineColumn = column;
    read();
  }

  std::optional<BracketFault> fault;
  const char *lineEnd = nullptr;
  char last = '\0'; ///< the last character read

private:
  struct Open {
    const char *bracket;
    unsigned column; ///< the column of its physical line
  };

  void read();
  std::optional<Line> nextLine(const char *newline) const;
  bool isStatement(const Line &line) const;
  void close(const char *bracket, bool isFirstOfLine);
  void closeDownTo(size_t depth);
  bool restOfLinePairs(const char *place) const;
  void note(BracketFault::Kind kind, const char *bracket, const char *opening = nullptr) {
    if (!fault)
      fault = BracketFault{kind, bracket, opening, begin, nullptr};
  }
  unsigned &countOf(char opening) { return counts[openings.find(opening)]; }
  bool isInBraces() const { return counts[openings.find('{')] != 0; }

  const char *textEnd;
  const char *begin;
  unsigned column;
  bool byIndentation;
  bool isHeader;
  unsigned lineColumn; ///< the column of the current physical line
  llvm::SmallVector<Open, 16> open;
  unsigned counts[3] = {}; ///< open brackets by kind
};

void LogicalLine::read() {
  const char *place = begin;
  bool isFirstOfLine = true;
  while (true) {
    Piece piece = nextPiece(place, textEnd);
    place = piece.end;
    if (piece.kind == Piece::Kind::End || piece.kind == Piece::Kind::Newline) {
      std::optional<Line> next = open.empty() ? std::nullopt : nextLine(piece.begin);
      if (!next || isStatement(*next)) {
        lineEnd = piece.begin;
        break;
      }
      place = next->begin;
      lineColumn = next->column;
      isFirstOfLine = true;
      continue;
    }
    if (piece.kind == Piece::Kind::Opening) {
      open.push_back({piece.begin, lineColumn});
      ++countOf(*piece.begin);
    } else if (piece.kind == Piece::Kind::Closing) {
      close(piece.begin, isFirstOfLine);
    }
    isFirstOfLine &= piece.kind == Piece::Kind::Closing;
    last = piece.end[-1];
  }
  if (!open.empty())
    note(BracketFault::Kind::Unclosed, open.back().bracket);
}

/// Returns the next line that has tokens, or nothing at the end of the text.
std::optional<Line> LogicalLine::nextLine(const char *newline) const {
  bool isAfterBlank = false;
  while (newline != textEnd) {
    const char *place = newline + 1;
    while (place != textEnd && (*place == ' ' || *place == '\t'))
      ++place;
    Piece first = nextPiece(place, textEnd);
    if (first.kind == Piece::Kind::End)
      return std::nullopt;
    if (first.kind != Piece::Kind::Newline)
      return describeLine(place, unsigned(place - newline - 1), isAfterBlank, textEnd);
    isAfterBlank = true;
    newline = first.begin;
  }
  return std::nullopt;
}

/// Whether the line begins a statement, so that a closing bracket is missing before it. Without
/// byIndentation, returns true only for a line that cannot be inside brackets.
bool LogicalLine::isStatement(const Line &line) const {
  StringRef rest(line.begin, textEnd - line.begin);
  // Braces may enclose a block in the syntax of another language. Only an item ends such a block.
  if (isInBraces() && !byIndentation)
    return line.column == 0 && beginsItem(line.word);
  bool isOutside = line.column <= column;
  bool isBody = byIndentation && isHeader && last == ':' && !isOutside;
  if (isBody)
    return !closings.contains(*line.begin);
  if (rest.starts_with("#["))
    return isOutside && !rest.drop_front(2).ltrim().starts_with("alias");
  if (line.word.empty() || last == '.')
    return false;
  if (beginsStatement(line.word))
    return isOutside || !isInBraces();
  if (isOutside && line.isAssignment && !line.closesMoreThanItOpens && line.last != ',')
    return true;
  if (!byIndentation)
    return false;
  if (line.word == "else")
    return isOutside && rest.drop_front(4).ltrim().starts_with(":");
  if (!isOutside || continuesExpression(line.word) || line.closesMoreThanItOpens ||
      isOperatorOrComma(line.last))
    return false;
  return line.isAfterBlank || !isOperatorOrComma(last);
}

/// Closes a bracket. A closing bracket at the start of a line closes the bracket that was opened in
/// a line with the same indentation. Any other one closes the innermost bracket of its kind.
void LogicalLine::close(const char *bracket, bool isFirstOfLine) {
  char opening = openingOf(*bracket);
  if (open.empty())
    return note(BracketFault::Kind::Unmatched, bracket);
  if (byIndentation && isFirstOfLine) {
    constexpr size_t maxNesting = 256; // deeper nesting is an error anyway
    size_t lowest = open.size() > maxNesting ? open.size() - maxNesting : 0;
    for (size_t depth = open.size(); depth-- > lowest;)
      if (*open[depth].bracket == opening && open[depth].column == lineColumn)
        return closeDownTo(depth);
  }
  bool isExtra = countOf(opening) == 0 ||
                 (*open.back().bracket != opening && !fault && restOfLinePairs(bracket + 1));
  if (isExtra)
    return note(BracketFault::Kind::Mismatched, bracket, open.back().bracket);
  size_t depth = open.size() - 1;
  while (*open[depth].bracket != opening)
    --depth;
  closeDownTo(depth);
}

/// Whether the rest of the physical line closes the open brackets in order.
bool LogicalLine::restOfLinePairs(const char *place) const {
  llvm::SmallVector<char, 16> pending;
  for (const Open &bracket : open)
    pending.push_back(*bracket.bracket);
  for (Piece piece = nextPiece(place, textEnd);
       piece.kind != Piece::Kind::End && piece.kind != Piece::Kind::Newline;
       piece = nextPiece(piece.end, textEnd)) {
    if (piece.kind == Piece::Kind::Opening)
      pending.push_back(*piece.begin);
    else if (piece.kind == Piece::Kind::Closing &&
             (pending.empty() || pending.pop_back_val() != openingOf(*piece.begin)))
      return false;
  }
  return pending.empty();
}

/// Closes the bracket at `depth` and the brackets inside it, which have no closing bracket.
void LogicalLine::closeDownTo(size_t depth) {
  if (open.size() > depth + 1)
    note(BracketFault::Kind::Unclosed, open.back().bracket);
  while (open.size() > depth)
    --countOf(*open.pop_back_val().bracket);
}

} // namespace

namespace {

/// A logical line that opens no block, with the following lines that are indented deeper. If one of
/// these closes a bracket that is not open, the opening bracket is missing in the logical line.
struct Statement {
  const char *begin;
  unsigned column;
  bool opensBlock;
  bool hasMoreLines = false;
};

} // namespace

std::vector<BracketFault> findBracketFaults(StringRef text) {
  // The maximum number of faults after which the text is read again, each time up to its end.
  constexpr size_t maxRereads = 100;
  std::vector<BracketFault> faults;
  const char *place = text.begin(), *end = text.end();
  const char *lineStart = place;
  std::optional<Statement> statement;
  while (true) {
    Piece first = nextPiece(place, end);
    if (first.kind == Piece::Kind::End)
      return faults;
    if (first.kind == Piece::Kind::Newline) {
      place = lineStart = first.end;
      continue;
    }
    bool isAttribute = first.begin != lineStart && first.begin[-1] == '#';
    const char *begin = first.begin - isAttribute;
    unsigned column = unsigned(begin - lineStart);
    LogicalLine line(begin, column, end, false);
    if (line.fault && faults.size() < maxRereads)
      line = LogicalLine(begin, column, end, true);
    bool isMore = statement && !statement->opensBlock && column > statement->column;
    bool isLast = isMore || (statement && statement->hasMoreLines && column == statement->column &&
                             first.kind == Piece::Kind::Closing);
    if (line.fault) {
      line.fault->lineEnd = line.lineEnd;
      if (isLast && line.fault->kind == BracketFault::Kind::Unmatched &&
          (faults.empty() || faults.back().lineEnd < statement->begin))
        line.fault->lineBegin = statement->begin;
      faults.push_back(*line.fault);
    }
    if (isMore)
      statement->hasMoreLines = true;
    else
      statement = {begin, column, line.last == ':'};
    place = line.lineEnd;
  }
}

} // namespace spl::lex

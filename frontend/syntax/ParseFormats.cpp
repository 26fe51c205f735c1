// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert, and the contents of their strings: text, escapes, and expressions in braces.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseStatements.h"
#include "frontend/syntax/SyntaxHints.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

static std::optional<unsigned> parsePrecision(Parser &parser, StringRef text);

static char parseEscape(Parser &parser, StringRef &text);
static ArrayRef<FormatPiece> parseFormat(Parser &parser, StringRef statement);
static FormatPiece parsePlaceholder(Parser &parser, StringRef text, StringRef textBefore);

/// print "x = {x}"
Stmt *parsePrint(Parser &parser) {
  const char *begin = parser.advance().begin;
  ArrayRef<FormatPiece> format = parseFormat(parser, "print");
  if (parser.token.isOneOf(TokenKind::Comma, TokenKind::Plus, TokenKind::Percent))
    parser.fail(parser.token.range(), diag::ExpectedEndOfLine, describe(parser.token),
                "; write values in braces in the string: '{x}'");
  return parser.make<PrintStmt>(parser.from(begin), format);
}

/// assert c, assert c, "i = {i}"
Stmt *parseAssert(Parser &parser) {
  const char *begin = parser.token.begin;
  if (failMacro(parser))
    return parser.make<ErrorStmt>(parser.from(begin));
  parser.advance();
  const char *outer = std::exchange(parser.assertOpening,
                                    parser.at(TokenKind::LParen) ? parser.token.begin : nullptr);
  const Expr *condition = parseExpression(parser);
  parser.assertOpening = outer;
  ArrayRef<FormatPiece> format;
  if (parser.accept(TokenKind::Comma))
    format = parseFormat(parser, "assert c,");
  else if (parser.at(TokenKind::Colon))
    parser.fail(parser.token.range(), diag::ExpectedEndOfLine, describe(parser.token),
                "; write the message after a comma: 'assert c, \"x = {x}\"'");
  return parser.make<AssertStmt>(parser.from(begin), condition, condition->range.text(), format);
}

/// Parses the pieces of a string. If there is no string, returns one piece with an Error node.
static ArrayRef<FormatPiece> parseFormat(Parser &parser, StringRef statement) {
  llvm::SmallVector<FormatPiece, 4> pieces;
  std::string text;
  if (parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::String) &&
      parser.ahead.begin == parser.token.end) {
    parser.complain(parser.token.range(), diag::ForeignForm,
                    (parser.token.text() + "\"...\"").str(),
                    "remove the 'f'; every string can have values in braces");
    parser.advance(); // f"x = {x}"
  }
  if (!parser.at(TokenKind::String)) {
    if (!parser.at(TokenKind::Invalid) && !parser.isPanicking)
      parser.fail(parser.here(), diag::ExpectedFormat, describe(parser.token), statement);
    parser.panic();
    return parser.keep<FormatPiece>(
        FormatPiece{.text = "", .value = parser.error(parser.token.begin)});
  }
  StringRef rest = parser.token.text().drop_front().drop_back();
  while (!rest.empty()) {
    if (rest.front() == '\\') {
      text += parseEscape(parser, rest);
    } else if (rest.starts_with("{{") || rest.starts_with("}}")) {
      text += rest.front();
      rest = rest.drop_front(2);
    } else if (rest.front() == '}') {
      parser.complain({rest.begin(), rest.begin() + 1}, diag::LoneBrace, "}").fix("}}");
      rest = rest.drop_front();
    } else if (rest.front() != '{') {
      size_t length = rest.find_first_of("\\{}");
      text += rest.take_front(length);
      rest = rest.substr(length);
    } else if (size_t end = rest.find('}'); end == StringRef::npos) {
      if (restOfLine(parser.token.end).contains('}')) { // print "{"text"}"
        parser.fail({parser.token.end - 1, parser.token.end}, diag::QuoteInBraces);
        return parser.keep<FormatPiece>(
            FormatPiece{.text = "", .value = parser.error(parser.token.begin)});
      }
      parser.complain({rest.begin(), rest.begin() + 1}, diag::LoneBrace, "{").fix("{{");
      break;
    } else {
      pieces.push_back(parsePlaceholder(parser, rest.take_front(end + 1),
                                        StringRef(text).copy(parser.file.arena)));
      text.clear();
      rest = rest.drop_front(end + 1);
    }
  }
  parser.advance();
  if (!text.empty() || pieces.empty())
    pieces.push_back({.text = StringRef(text).copy(parser.file.arena)});
  return parser.keep<FormatPiece>(pieces);
}

/// Parses {expr} or {expr:.3}. The text between the braces has no braces and is parsed by a parser
/// of its own.
static FormatPiece parsePlaceholder(Parser &parser, StringRef text, StringRef textBefore) {
  Parser inner(parser.file, text, parser.diagnostics);
  inner.isInMethod = parser.isInMethod;
  inner.advance();
  FormatPiece piece{.text = textBefore};
  if (inner.at(TokenKind::RBrace))
    inner.fail(inner.token.range(), diag::ExpectedExpression, describe(inner.token),
               "; write '{{' for a brace");
  piece.value = parseExpression(inner);
  if (inner.at(TokenKind::Colon) && !inner.isPanicking)
    piece.precision =
        parsePrecision(inner, text.drop_back().drop_front(inner.token.end - text.begin()));
  else if (!inner.isPanicking && !inner.at(TokenKind::RBrace))
    inner.failExpected("'}', or ':' and a format");
  if (inner.isPanicking)
    piece.value = parser.error(text.begin());
  return piece;
}

/// .3
static std::optional<unsigned> parsePrecision(Parser &parser, StringRef text) {
  constexpr unsigned limit = 100;
  StringRef digits = text.drop_front(text.starts_with("."));
  unsigned precision = 0;
  bool isPrecision = digits.size() < text.size() && llvm::all_of(digits, llvm::isDigit) &&
                     !digits.getAsInteger(10, precision) && precision <= limit;
  if (isPrecision)
    return precision;
  parser.fail({text.begin(), text.end()}, diag::InvalidFormat, text, limit);
  return std::nullopt;
}

/// Removes an escape sequence from the text, and returns its character.
static char parseEscape(Parser &parser, StringRef &text) {
  StringRef escape = text.take_front(2);
  text = text.drop_front(2);
  switch (escape.back()) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case '\\':
  case '"':
    return escape.back();
  default:
    parser.complain({escape.begin(), escape.end()}, diag::UnknownEscape, escape);
    return ' ';
  }
}

/// A string that is an argument. Braces have no meaning in it.
Expr *parseString(Parser &parser) {
  StringRef rest = parser.token.text().drop_front().drop_back();
  std::string text;
  while (!rest.empty()) {
    size_t length = rest.find('\\');
    text += rest.take_front(length);
    rest = rest.substr(length);
    if (!rest.empty())
      text += parseEscape(parser, rest);
  }
  return parser.make<StringExpr>(parser.advance().range(), StringRef(text).copy(parser.file.arena));
}

} // namespace spl::syntax

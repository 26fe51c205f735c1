// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert, and what stands in their strings: text, escapes, and expressions in braces.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

/// print "x = {x}"
Stmt *Parser::parsePrint() {
  const char *begin = advance().begin;
  ArrayRef<FormatPiece> format = parseFormat("print");
  if (token.isOneOf(TokenKind::Comma, TokenKind::Plus, TokenKind::Percent))
    fail(token.range(), diag::ExpectedEndOfLine, describe(token),
         "; values stand in braces in the string: '{x}'");
  return make<PrintStmt>(from(begin), format);
}

/// assert c, assert c, "i = {i}"
Stmt *Parser::parseAssert() {
  const char *begin = token.begin;
  if (failMacro())
    return make<ErrorStmt>(from(begin));
  advance();
  const char *outer = std::exchange(assertOpening, at(TokenKind::LParen) ? token.begin : nullptr);
  const Expr *condition = parseExpression();
  assertOpening = outer;
  ArrayRef<FormatPiece> format;
  if (accept(TokenKind::Comma))
    format = parseFormat("assert c,");
  else if (at(TokenKind::Colon))
    fail(token.range(), diag::ExpectedEndOfLine, describe(token),
         "; its text stands after a comma: 'assert c, \"x = {x}\"'");
  return make<AssertStmt>(from(begin), condition, condition->range.text(), format);
}

/// assert!(c), println!("x"): the calls of macros.
bool Parser::failMacro() {
  if (!peek().is(TokenKind::Bang) || ahead.begin != token.end)
    return false;
  StringRef name = token.text();
  StringRef remedy = at(TokenKind::Assert) ? "write 'assert c, \"x = {x}\"'"
                                           : remedyForName(Foreign::Function, name);
  fail({token.begin, ahead.end}, diag::ForeignForm, (name + "!").str(),
       remedy.empty() ? "there are no macros" : remedy);
  return true;
}

/// The pieces of a string; one with an Error where there is none.
ArrayRef<FormatPiece> Parser::parseFormat(StringRef statement) {
  llvm::SmallVector<FormatPiece, 4> pieces;
  std::string text;
  if (at(TokenKind::Identifier) && peek().is(TokenKind::String) && ahead.begin == token.end) {
    complain(token.range(), diag::ForeignForm, (token.text() + "\"...\"").str(),
             "values stand in braces in any string");
    advance(); // f"x = {x}"
  }
  if (!at(TokenKind::String)) {
    if (!at(TokenKind::Invalid) && !isPanicking)
      fail(here(), diag::ExpectedFormat, describe(token), statement);
    panic();
    return keep<FormatPiece>(FormatPiece{.text = "", .value = error(token.begin)});
  }
  StringRef rest = token.text().drop_front().drop_back();
  while (!rest.empty()) {
    if (rest.front() == '\\') {
      text += parseEscape(rest);
    } else if (rest.starts_with("{{") || rest.starts_with("}}")) {
      text += rest.front();
      rest = rest.drop_front(2);
    } else if (rest.front() == '}') {
      complain({rest.begin(), rest.begin() + 1}, diag::LoneBrace, "}").fix("}}");
      rest = rest.drop_front();
    } else if (rest.front() != '{') {
      size_t length = rest.find_first_of("\\{}");
      text += rest.take_front(length);
      rest = rest.substr(length);
    } else if (size_t end = rest.find('}'); end == StringRef::npos) {
      if (restOfLine(token.end).contains('}')) { // print "{"text"}"
        fail({token.end - 1, token.end}, diag::QuoteInBraces);
        return keep<FormatPiece>(FormatPiece{.text = "", .value = error(token.begin)});
      }
      complain({rest.begin(), rest.begin() + 1}, diag::LoneBrace, "{").fix("{{");
      break;
    } else {
      pieces.push_back(
          parsePlaceholder(rest.take_front(end + 1), StringRef(text).copy(file.arena)));
      text.clear();
      rest = rest.drop_front(end + 1);
    }
  }
  advance();
  if (!text.empty() || pieces.empty())
    pieces.push_back({.text = StringRef(text).copy(file.arena)});
  return keep<FormatPiece>(pieces);
}

/// {expr} or {expr:.3}. The text is parsed on its own: from brace to brace there are no braces.
FormatPiece Parser::parsePlaceholder(StringRef text, StringRef textBefore) {
  Parser inner(file, text, diagnostics);
  inner.isInMethod = isInMethod;
  inner.advance();
  FormatPiece piece{.text = textBefore};
  if (inner.at(TokenKind::RBrace))
    inner.fail(inner.token.range(), diag::ExpectedExpression, describe(inner.token),
               "; a brace itself is written '{{'");
  piece.value = inner.parseExpression();
  if (inner.at(TokenKind::Colon) && !inner.isPanicking)
    piece.precision =
        inner.parsePrecision(text.drop_back().drop_front(inner.token.end - text.begin()));
  else if (!inner.isPanicking && !inner.at(TokenKind::RBrace))
    inner.failExpected("'}', or ':' and a format");
  if (inner.isPanicking)
    piece.value = error(text.begin());
  return piece;
}

/// .3
std::optional<unsigned> Parser::parsePrecision(StringRef text) {
  constexpr unsigned limit = 100;
  StringRef digits = text.drop_front(text.starts_with("."));
  unsigned precision = 0;
  bool isPrecision = digits.size() < text.size() && llvm::all_of(digits, llvm::isDigit) &&
                     !digits.getAsInteger(10, precision) && precision <= limit;
  if (isPrecision)
    return precision;
  fail({text.begin(), text.end()}, diag::InvalidFormat, text, limit);
  return std::nullopt;
}

char Parser::parseEscape(StringRef &text) {
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
    complain({escape.begin(), escape.end()}, diag::UnknownEscape, escape);
    return ' ';
  }
}

/// A string without braces' meaning, as an argument.
Expr *Parser::parseString() {
  StringRef rest = token.text().drop_front().drop_back();
  std::string text;
  while (!rest.empty()) {
    size_t length = rest.find('\\');
    text += rest.take_front(length);
    rest = rest.substr(length);
    if (!rest.empty())
      text += parseEscape(rest);
  }
  return make<StringExpr>(advance().range(), StringRef(text).copy(file.arena));
}

} // namespace spl::syntax

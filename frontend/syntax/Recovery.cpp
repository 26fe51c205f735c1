// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parser does about mistakes: naming them, and finding a place to go on.

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

void Parser::panic() {
  if (isPanicking)
    return;
  isPanicking = true;
  lexer.setQuiet(true);
  while (!atLineEnd())
    advance();
  lexer.setQuiet(false);
}

void Parser::recover() {
  if (!isPanicking)
    return;
  accept(TokenKind::Newline);
  isPanicking = false;
  if (at(TokenKind::Indent))
    skipBlock();
}

/// From an Indent to its Dedent, without recursion.
void Parser::skipBlock() {
  lexer.setQuiet(true);
  unsigned depth = 0;
  do {
    depth += at(TokenKind::Indent);
    depth -= at(TokenKind::Dedent);
    // The token after the block is lexed loudly: it is not skipped.
    if (depth == 0)
      lexer.setQuiet(false);
    advance();
  } while (depth != 0 && !at(TokenKind::EndOfFile));
  lexer.setQuiet(false);
}

/// The name that ends before white space there, or nothing.
StringRef Parser::identifierBefore(const char *end) const {
  StringRef text = StringRef(textBegin, end - textBegin).rtrim(' ');
  size_t length = 0;
  while (length != text.size() && lex::isIdentifierPart(text.end()[-1 - ptrdiff_t(length)]))
    ++length;
  return text.take_back(length);
}

/// What to write for '::', before what stands after it.
static StringRef remedyForPath(const char *after) {
  if (*after == '<')
    return "a generic's arguments stand in brackets: 'f[f32](x)'";
  StringRef name = restOfLine(after).take_while(lex::isIdentifierPart);
  if (name == "MAX" || name == "MIN")
    return "write the number itself, or 'math.INF'";
  return "a member stands after '.'";
}

bool Parser::failForeign() {
  switch (token.kind) {
  case TokenKind::Equal:
    fail(token.range(), diag::AssignmentInExpression).fix("==");
    return true;
  case TokenKind::In: // if x in [1, 2]
    fail(token.range(), diag::ForeignForm, "x in a", "compare each: 'x == a or x == b'");
    return true;
  case TokenKind::Not:
    if (!peek().is(TokenKind::In))
      return false;
    fail(token.range().to(ahead.range()), diag::ForeignForm, "x not in a",
         "compare each: 'x != a and x != b'");
    return true;
  case TokenKind::LBrace:
    fail(token.range(), diag::BraceBlock);
    return true;
  case TokenKind::Semicolon:
    fail(token.range(), diag::UnexpectedSemicolon);
    return true;
  case TokenKind::Colon:
    // Not by peek(), which may report what it finds.
    if (*token.end == '=') {
      skippedNames.push_back(identifierBefore(token.begin));
      fail({token.begin, token.end + 1}, diag::ForeignForm,
           ":=", "a value is declared before, as in 'val x = e'");
      return true;
    }
    if (*token.end != ':')
      return false;
    fail({token.begin, token.end + 1}, diag::ForeignForm, "::", remedyForPath(token.end + 1));
    return true;
  default:
    break;
  }
  StringRef remedy =
      at(TokenKind::Identifier) ? remedyForHabit(token.text()) : remedyForOperator(token.kind);
  if (remedy.empty())
    return false;
  fail(token.range(), diag::ForeignForm, token.text(), remedy);
  return true;
}

void Parser::failExpected(StringRef what) {
  if (!failForeign())
    fail(here(), diag::ExpectedToken, what, describe(token));
}

bool Parser::expect(TokenKind kind, StringRef what) {
  if (accept(kind))
    return true;
  failExpected(what);
  return false;
}

bool Parser::expectClosing(TokenKind kind, const Token &opening, StringRef what) {
  if (accept(kind))
    return true;
  if (StringRef(previousEnd, token.begin - previousEnd).contains('\n')) {
    // A comma or the closing bracket was forgotten at the end of a line.
    fail(afterPrevious(), diag::ExpectedToken, what, describe(token))
        .note(opening.range(), diag::OpenedHere, opening.text());
    return false;
  }
  failExpected(what);
  return false;
}

bool Parser::endLine() {
  if (accept(TokenKind::Newline) || at(TokenKind::EndOfFile))
    return true;
  if (!failForeign())
    fail(token.range(), diag::ExpectedEndOfLine, describe(token),
         at(TokenKind::Comma)      ? "; a tuple is written '(a, b)'"
         : at(TokenKind::StarStar) ? "; after a type '**' wants '(x as T) ** y'"
                                   : "");
  return false;
}

} // namespace spl::syntax

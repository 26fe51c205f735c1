// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and operands of other languages.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/SyntaxHints.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

/// Returns the hint for '::', given the text after it.
static StringRef hintForPath(const char *after) {
  if (*after == '<')
    return "generic arguments are written in brackets: 'f[f32](x)'";
  return "write '.' before a member";
}

/// Whether nothing but a comment or more ';' is behind a ';'.
static bool isLastOfLine(const Token &semicolon) {
  StringRef rest = restOfLine(semicolon.end).ltrim("; \t\r");
  return rest.empty() || rest.starts_with("#") || rest.starts_with("//");
}

bool failForeign(Parser &parser) {
  switch (parser.token.kind) {
  case TokenKind::Equal:
    parser.fail(parser.token.range(), diag::AssignmentInExpression).fix("==");
    return true;
  case TokenKind::In: // if x in [1, 2]
    parser.fail(parser.token.range(), diag::ForeignForm, "x in a",
                "compare each: 'x == a or x == b'");
    return true;
  case TokenKind::Not:
    if (!parser.peek().is(TokenKind::In))
      return false;
    parser.fail(parser.token.range().to(parser.ahead.range()), diag::ForeignForm, "x not in a",
                "compare each: 'x != a and x != b'");
    return true;
  case TokenKind::LBrace:
    parser.fail(parser.token.range(), diag::BraceBlock);
    return true;
  case TokenKind::Semicolon:
    parser.fail(parser.token.range(), diag::UnexpectedSemicolon,
                isLastOfLine(parser.token) ? "remove the ';'"
                                           : "put the next statement on a line of its own");
    return true;
  case TokenKind::Colon:
    // parser.peek() is not used, because it may report errors of the lexer.
    if (*parser.token.end == '=') {
      parser.items.skippedNames.push_back(parser.identifierBefore(parser.token.begin));
      parser.fail({parser.token.begin, parser.token.end + 1}, diag::ForeignForm, ":=",
                  ("declare a value first, as in 'val " +
                   shortOr(parser.identifierBefore(parser.token.begin), "x") + " = e'")
                      .str());
      return true;
    }
    if (*parser.token.end != ':')
      return false;
    parser.fail({parser.token.begin, parser.token.end + 1}, diag::ForeignForm,
                "::", hintForPath(parser.token.end + 1));
    return true;
  default:
    break;
  }
  StringRef hint = parser.at(TokenKind::Identifier) ? hintForHabit(parser.token.text())
                                                    : hintForOperator(parser.token.kind);
  if (hint.empty())
    return false;
  parser.fail(parser.token.range(), diag::ForeignForm, parser.token.text(), hint);
  return true;
}

bool failForeignPostfix(Parser &parser, const Expr &value) {
  if (value.kind == Expr::Kind::Array && parser.at(TokenKind::Identifier) &&
      parser.token.begin == parser.previousEnd) { // [4]f32
    parser.fail(value.range.to(parser.token.range()), diag::ForeignForm, "[4]T",
                "an array is '[a, b]' or '[value; count]', and its type '[T; 4]'");
    return true;
  }
  if (value.kind != Expr::Kind::Name)
    return false;
  StringRef name = value.range.text();
  if (parser.at(TokenKind::Arrow) && parser.token.begin == parser.previousEnd &&
      lex::isIdentifierStart(*parser.token.end)) {
    StringRef member = restOfLine(parser.token.end).take_while(lex::isIdentifierPart);
    parser.fail(parser.token.range(), diag::ForeignForm, name.str() + "->",
                ("write '" + name + "." + member + "'").str());
    return true;
  }
  if (!parser.at(TokenKind::LBrace) || !llvm::isUpper(name.front()) ||
      !restOfLine(parser.token.end).contains('}'))
    return false;
  parser.fail(parser.token.range(), diag::ForeignForm, name.str() + " {...}",
              ("a struct is built as '" + name + "(field: value)'").str());
  return true;
}

StringRef shortOr(StringRef text, StringRef byDefault) {
  constexpr size_t maxLength = 40;
  return text.empty() || text.size() > maxLength || text.contains('\n') ? byDefault : text;
}

void failSliceColon(Parser &parser, StringRef base, StringRef lower) {
  bool isPath =
      parser.previousEnd == parser.token.begin && lex::isIdentifierPart(parser.previousEnd[-1]);
  if (!isPath || !failForeign(parser)) // std::max
  {
    StringRef upper = restOfLine(parser.token.end).split(']').first.trim();
    if (upper.contains(':') || upper.contains('[') ||
        base.size() + lower.size() + upper.size() > 60)
      base = lower = upper = "";
    std::string hint = base.empty() ? "a sub-slice is 'a[i..j]', 'a[i..]', 'a[..j]' or 'a[..]'"
                                    : ("write '" + base + "[" + lower + ".." + upper + "]'").str();
    parser.fail(parser.token.range(), diag::ForeignForm, "i:j", hint);
  }
}

} // namespace spl::syntax

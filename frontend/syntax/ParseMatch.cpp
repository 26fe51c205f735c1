// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// match and its cases.

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

Stmt *Parser::parseMatch() {
  const char *begin = advance().begin;
  const Expr *subject = parseExpression();
  SourceRange header = from(begin);
  bool isGood = !isPanicking && at(TokenKind::Colon);
  llvm::SmallVector<MatchArm, 8> arms;
  bool lacksCase = false;
  switch (openBlock("the value", header, "; it holds the cases")) {
  case Opening::OnLine:
    fail(token.range(), diag::ExpectedSimpleStatement, token.text());
    recover();
    isGood = false;
    break;
  case Opening::Indented:
    parseIndented(nullptr, [&] { isGood &= parseMatchArm(arms, lacksCase); });
    break;
  case Opening::Missing:
    isGood = false;
    break;
  }
  return make<MatchStmt>(header, subject, keep<MatchArm>(arms), !isGood);
}

/// case 1 | 2: and its block. Answers whether it is one; of those without 'case' the first is
/// reported.
bool Parser::parseMatchArm(llvm::SmallVectorImpl<MatchArm> &arms, bool &lacksCase) {
  const char *begin = token.begin;
  llvm::SmallVector<Pattern, 2> patterns;
  if (acceptForeignDefault()) {
    patterns.push_back({.range = from(begin)});
  } else if (accept(TokenKind::Case)) {
    parsePatterns(patterns);
  } else {
    if (lacksCase)
      panic();
    else if (!failForeign())
      fail(token.range(), diag::ExpectedCase, describe(token));
    lacksCase = true;
    recover();
    return false;
  }
  SourceRange range = from(begin);
  bool isGood = !isPanicking;
  Block body = parseBlock("the pattern", range);
  arms.push_back({range, keep<Pattern>(patterns), body});
  return isGood;
}

/// 'default:' and 'else:' are corrected to 'case _:'.
bool Parser::acceptForeignDefault() {
  if (!at(TokenKind::Else) && !atWord("default"))
    return false;
  if (!peek().is(TokenKind::Colon))
    return false;
  if (at(TokenKind::Else))
    complain(token.range(), diag::MisplacedMember, "else", "the rest is 'case _'").fix("case _");
  else
    complain(token.range(), diag::ForeignWord, token.text(), "case _").fix("case _");
  advance();
  return true;
}

bool Parser::parsePatterns(llvm::SmallVectorImpl<Pattern> &patterns) {
  do {
    patterns.push_back(parsePattern());
  } while (accept(TokenKind::Pipe));
  if (at(TokenKind::If)) {
    fail(token.range(), diag::ForeignForm, "case ... if", "write the 'if' inside the case");
    for (Pattern &pattern : patterns) // the name that it may have bound
      pattern = {.range = pattern.range, .value = error(pattern.range.begin)};
  } else if (token.isOneOf(TokenKind::Comma, TokenKind::Or, TokenKind::PipePipe))
    fail(token.range(), diag::PatternSeparator, token.text()).fix("|");
  else if (token.isOneOf(TokenKind::Equal, TokenKind::Arrow))
    fail(token.range(), diag::MissingColon, "the pattern", describe(token));
  return !isPanicking;
}

/// 1, LIMIT, Level.High, 4..=9 or _
Pattern Parser::parsePattern() {
  const char *begin = token.begin;
  Pattern pattern;
  if (atWord("_")) {
    advance();
  } else {
    const Expr *value = parsePatternValue();
    if (at(TokenKind::DotDot)) {
      fail(token.range(), diag::ExclusivePattern).fix("..=");
    } else if (accept(TokenKind::DotDotEqual)) {
      pattern.lower = value;
      pattern.upper = parsePatternValue();
    } else {
      pattern.value = value;
    }
  }
  pattern.range = from(begin);
  // What is not whole is a value that cannot be judged, not the pattern for everything.
  if (isPanicking)
    pattern = {.range = pattern.range, .value = error(begin)};
  return pattern;
}

} // namespace spl::syntax

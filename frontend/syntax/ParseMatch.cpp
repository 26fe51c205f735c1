// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// match and its cases.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseBlocks.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseStatements.h"

namespace spl::syntax {

static bool parseMatchArm(Parser &parser, llvm::SmallVectorImpl<MatchArm> &arms, bool &lacksCase);
static Pattern parsePattern(Parser &parser);
static bool parsePatterns(Parser &parser, llvm::SmallVectorImpl<Pattern> &patterns);

Stmt *parseMatch(Parser &parser) {
  const char *begin = parser.advance().begin;
  const Expr *subject = parseExpression(parser);
  SourceRange header = parser.from(begin);
  bool isGood = !parser.isPanicking && parser.at(TokenKind::Colon);
  llvm::SmallVector<MatchArm, 8> arms;
  bool lacksCase = false;
  switch (openBlock(parser, "the value", header, "; write at least one 'case'")) {
  case Opening::OnLine:
    parser.fail(parser.token.range(), diag::ExpectedSimpleStatement, parser.token.text());
    parser.recover();
    isGood = false;
    break;
  case Opening::Indented:
    parseIndented(parser, nullptr, [&] { isGood &= parseMatchArm(parser, arms, lacksCase); });
    break;
  case Opening::Missing:
    isGood = false;
    break;
  }
  return parser.make<MatchStmt>(header, subject, parser.keep<MatchArm>(arms), !isGood);
}

/// Parses `case 1 | 2:` and its block. Returns whether there is an arm. Reports only the first arm
/// of a match that lacks the word 'case'.
static bool parseMatchArm(Parser &parser, llvm::SmallVectorImpl<MatchArm> &arms, bool &lacksCase) {
  const char *begin = parser.token.begin;
  llvm::SmallVector<Pattern, 2> patterns;
  if (acceptForeignDefault(parser)) {
    patterns.push_back({.range = parser.from(begin)});
  } else if (parser.accept(TokenKind::Case)) {
    parsePatterns(parser, patterns);
  } else {
    if (lacksCase)
      parser.panic();
    else if (!failForeign(parser))
      parser.fail(parser.token.range(), diag::ExpectedCase, describe(parser.token));
    lacksCase = true;
    parser.recover();
    return false;
  }
  SourceRange range = parser.from(begin);
  bool isGood = !parser.isPanicking;
  Block body = parseBlock(parser, "the pattern", range);
  arms.push_back({range, parser.keep<Pattern>(patterns), body});
  return isGood;
}

static bool parsePatterns(Parser &parser, llvm::SmallVectorImpl<Pattern> &patterns) {
  do {
    patterns.push_back(parsePattern(parser));
  } while (parser.accept(TokenKind::Pipe));
  if (parser.at(TokenKind::If)) {
    parser.fail(parser.token.range(), diag::ForeignForm, "case ... if",
                "write the 'if' inside the case");
    for (Pattern &pattern : patterns) // the pattern may bind a name in other languages
      pattern = {.range = pattern.range, .value = parser.error(pattern.range.begin)};
  } else if (parser.token.isOneOf(TokenKind::Comma, TokenKind::Or, TokenKind::PipePipe))
    parser.fail(parser.token.range(), diag::PatternSeparator, parser.token.text()).fix("|");
  else if (parser.token.isOneOf(TokenKind::Equal, TokenKind::Arrow))
    parser.fail(parser.token.range(), diag::MissingColon, "the pattern", describe(parser.token));
  return !parser.isPanicking;
}

/// 1, LIMIT, Level.High, 4..=9 or _
static Pattern parsePattern(Parser &parser) {
  const char *begin = parser.token.begin;
  Pattern pattern;
  if (parser.atWord("_")) {
    parser.advance();
  } else {
    const Expr *value = parsePatternValue(parser);
    if (parser.at(TokenKind::DotDot)) {
      parser.fail(parser.token.range(), diag::ExclusivePattern).fix("..=");
    } else if (parser.accept(TokenKind::DotDotEqual)) {
      pattern.lower = value;
      pattern.upper = parsePatternValue(parser);
    } else {
      pattern.value = value;
    }
  }
  pattern.range = parser.from(begin);
  // A pattern with an error becomes an Error value, because an empty Pattern would be '_'.
  if (parser.isPanicking)
    pattern = {.range = pattern.range, .value = parser.error(begin)};
  return pattern;
}

} // namespace spl::syntax

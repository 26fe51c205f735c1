// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for loops over a range, an array, a slice or a grid stride. The words step and unroll are
// keywords only here.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseBlocks.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseStatements.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

static Identifier parseLoopVariable(Parser &parser);
static Unroll parseUnroll(Parser &parser);

/// for i in a..b step s unroll:, for x in a:
Stmt *parseFor(Parser &parser) {
  const char *begin = parser.advance().begin;
  Identifier variable = parseLoopVariable(parser);
  const Expr *first = nullptr, *upper = nullptr, *step = nullptr;
  Unroll unroll;
  bool isInclusive = false;
  bool isGood = !parser.at(TokenKind::Equal) || parser.isPanicking;
  if (parser.at(TokenKind::Comma)) { // for i, x in enumerate(a)
    const char *names = parser.previousEnd;
    failForeignPair(parser);
    skipNames(parser, names);
    isGood = false;
  } else if (!isGood) // for i = 0 to n
    parser.fail(parser.token.range(), diag::ExpectedToken, "'in' and a range: 'for i in a..b:'",
                describe(parser.token));
  isGood = isGood && parser.expect(TokenKind::In, "'in' and a range: 'for i in a..b:'");
  if (isGood) {
    first = parseExpression(parser);
    isInclusive = parser.at(TokenKind::DotDotEqual);
    if (isInclusive || parser.at(TokenKind::DotDot)) {
      parser.advance();
      upper = parseExpression(parser);
      if (parser.atWord("step")) {
        parser.advance();
        step = parseExpression(parser);
      }
    }
    bool isColon = !upper && parser.at(TokenKind::Colon) && first->kind == Expr::Kind::Int &&
                   restOfLine(parser.token.end).contains(':');
    if (isColon) // for i in 0:n:
      parser.fail(parser.token.range(), diag::ForeignForm, "a:b",
                  ("a range is '" + shortOr(first->range.text(), "a") + ".." +
                   shortOr(restOfLine(parser.token.end).split(':').first.trim(), "b") + "'")
                      .str());
    unroll = parseUnroll(parser);
    bool isComplete =
        parser.token.isOneOf(TokenKind::Colon, TokenKind::LBrace) || parser.atLineEnd();
    isGood = isComplete && !parser.isPanicking && (upper || !failForeignRange(parser, *first));
  }
  SourceRange header = parser.from(begin);
  Block body = parseBlock(parser, "the range", header);
  if (variable.name.empty())
    return parser.make<ErrorStmt>(header);
  if (!isGood) {
    first = parser.error(header.begin);
    upper = upper ? first : nullptr;
    step = step ? first : nullptr;
  }
  if (!upper)
    return parser.make<ForEachStmt>(header, variable, first, unroll, body);
  return parser.make<ForStmt>(header, variable, first, upper, isInclusive, step, unroll, body);
}

/// Parses the variable of a loop. Returns an empty name if it reports an error.
static Identifier parseLoopVariable(Parser &parser) {
  if (parser.at(TokenKind::LParen)) {
    failForeignLoop(parser);
    return {};
  }
  return parseName(parser, "the loop's variable").value_or(Identifier());
}

/// Parses unroll or unroll(4) if it is there.
static Unroll parseUnroll(Parser &parser) {
  if (!parser.atWord("unroll"))
    return {};
  const char *begin = parser.advance().begin;
  const Expr *factor = nullptr;
  if (parser.at(TokenKind::LParen)) {
    Token opening = parser.advance();
    factor = parseExpression(parser);
    parser.accept(TokenKind::Comma);
    parser.expectClosing(TokenKind::RParen, opening, "')'");
  }
  return {parser.from(begin), factor};
}

} // namespace spl::syntax

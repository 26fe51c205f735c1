// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for loops over a range, an array, a slice or a grid stride. The words step and unroll are
// keywords only here.

#include "frontend/lex/Lexer.h"
#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseBlocks.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseStatements.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

static Identifier parseLoopVariable(Parser &parser);
static Unroll parseUnroll(Parser &parser);
static bool isReversedRange(Parser &parser);
static bool expectReversed(Parser &parser, Token opening);

/// for i in a..b step s unroll:, for x in a:
Stmt *parseFor(Parser &parser) {
  const char *begin = parser.advance().begin;
  Identifier variable = parseLoopVariable(parser);
  const Expr *first = nullptr, *upper = nullptr, *step = nullptr;
  Unroll unroll;
  bool isInclusive = false;
  bool isReversed = false;
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
    isReversed = isReversedRange(parser);
    const Token opening = parser.token;
    if (isReversed)
      parser.advance();
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
    if (isReversed)
      isGood = expectReversed(parser, opening);
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
    isGood =
        isGood && isComplete && !parser.isPanicking && (upper || !failForeignRange(parser, *first));
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
  return parser.make<ForStmt>(header, variable, first, upper, isInclusive, step, unroll, body,
                              isReversed);
}

/// Whether a range in parentheses begins here, with a call of reversed behind it.
static bool isReversedRange(Parser &parser) {
  if (!parser.at(TokenKind::LParen))
    return false;
  llvm::StringRef rest = restOfLine(parser.token.begin);
  int depth = 0;
  for (size_t at = 0; at != rest.size(); ++at) {
    depth += rest[at] == '(' ? 1 : rest[at] == ')' ? -1 : 0;
    if (depth == 0) {
      llvm::StringRef behind = rest.drop_front(at + 1).ltrim();
      return rest.take_front(at).contains("..") && behind.consume_front(".reversed") &&
             !(behind.size() && lex::isIdentifierPart(behind.front()));
    }
  }
  return false;
}

/// Parses ').reversed()'. Returns false if it reports an error.
static bool expectReversed(Parser &parser, Token opening) {
  const bool isClosed = parser.expectClosing(TokenKind::RParen, opening, "')'") &&
                        parser.expect(TokenKind::Dot, "'.reversed()'");
  if (!isClosed)
    return false;
  parser.advance(); // the word reversed, which isReversedRange has seen
  const Token call = parser.token;
  return parser.expect(TokenKind::LParen, "'()' after 'reversed'") &&
         parser.expectClosing(TokenKind::RParen, call, "')'");
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

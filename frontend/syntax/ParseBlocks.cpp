// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, if and while. for is in ParseLoops.cpp, match in ParseMatch.cpp.

#include "frontend/syntax/ParseBlocks.h"
#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseStatements.h"

namespace spl::syntax {

static bool atElif(Parser &parser);
static void parseLines(Parser &parser, llvm::function_ref<void()> parseLine);
static void skipArms(Parser &parser);

Opening openBlock(Parser &parser, StringRef what, SourceRange header, StringRef hint) {
  bool headerIsGood = !parser.isPanicking && !parser.at(TokenKind::Invalid);
  if (headerIsGood && !parser.accept(TokenKind::Colon)) {
    headerIsGood = false;
    if (parser.at(TokenKind::Newline))
      parser.complain(parser.afterPrevious(), diag::MissingColon, what, describe(parser.token))
          .fix(":");
    else if (!failForeign(parser))
      parser.fail(parser.token.range(), diag::MissingColon, what, describe(parser.token));
  }
  if (!headerIsGood && !parser.at(TokenKind::Newline))
    parser.panic();
  if (!parser.at(TokenKind::Newline))
    return Opening::OnLine;
  parser.advance();
  parser.isPanicking = false;
  if (parser.at(TokenKind::Indent))
    return Opening::Indented;
  if (headerIsGood)
    parser.complain(header, diag::ExpectedBlock, what, hint);
  return Opening::Missing;
}

Block parseBlock(Parser &parser, StringRef what, SourceRange header, StringRef *doc) {
  llvm::SmallVector<const Stmt *, 8> statements;
  auto parseLine = [&] { statements.push_back(parseStatement(parser)); };
  switch (openBlock(parser, what, header, "; write 'pass' for an empty block")) {
  case Opening::OnLine:
    statements.push_back(parseSimpleStatement(parser));
    break;
  case Opening::Indented:
    parseIndented(parser, doc, parseLine);
    break;
  case Opening::Missing:
    break;
  }
  return parser.keep<const Stmt *>(statements);
}

void parseIndented(Parser &parser, StringRef *doc, llvm::function_ref<void()> parseLine) {
  if (parser.blockNesting == maxNesting) {
    parser.complain(parser.peek().range(), diag::NestingTooDeep, "blocks (an elif counts as one)",
                    maxNesting);
    return parser.skipBlock();
  }
  ++parser.blockNesting;
  parser.advance();
  if (doc && parser.at(TokenKind::Docstring))
    *doc = parseDocstring(parser);
  parseLines(parser, parseLine);
  --parser.blockNesting;
}

/// Parses lines up to and including the Dedent of their block.
static void parseLines(Parser &parser, llvm::function_ref<void()> parseLine) {
  // Lines that are indented without a block are parsed as if they were not indented.
  unsigned strayIndents = 0;
  while (!parser.at(TokenKind::EndOfFile)) {
    if (parser.at(TokenKind::Indent)) {
      parser.advance();
      parser.complain(parser.token.range(), diag::UnexpectedIndent);
      ++strayIndents;
    } else if (!parser.at(TokenKind::Dedent)) {
      parseLine();
    } else {
      parser.advance();
      if (strayIndents == 0)
        return;
      --strayIndents;
    }
  }
}

/// Parses a condition. If a block does not follow it, as in 'if a = b:', returns an Error node.
static Expr *parseCondition(Parser &parser) {
  if (parser.atWord("let") && parser.peek().is(TokenKind::Identifier)) // if let Some(x) = e
    return failPatternCondition(parser);
  Expr *condition = parseExpression(parser);
  bool isComplete =
      parser.at(TokenKind::Colon) || parser.at(TokenKind::LBrace) || parser.atLineEnd();
  return isComplete ? condition : parser.error(condition->range.begin);
}

Stmt *parseIf(Parser &parser) {
  const char *begin = parser.token.begin;
  SourceRange header;
  llvm::SmallVector<IfArm, 4> arms;
  Block otherwise;
  bool hasElse = false;
  unsigned outerNesting = parser.blockNesting;
  do {
    // Each elif counts as an if inside the previous else.
    parser.blockNesting = outerNesting + arms.size();
    if (!arms.empty() && parser.blockNesting >= maxNesting) {
      skipArms(parser);
      break;
    }
    const char *armBegin = parser.advance().begin;
    const Expr *condition = parseCondition(parser);
    if (arms.empty())
      header = parser.from(begin);
    arms.push_back({condition, parseBlock(parser, "the condition", parser.from(armBegin))});
  } while (atElif(parser));
  if (parser.at(TokenKind::Else)) {
    SourceRange elseRange = parser.advance().range();
    hasElse = true;
    otherwise = parseBlock(parser, "'else'", elseRange);
  }
  parser.blockNesting = outerNesting;
  return parser.make<IfStmt>(header, parser.keep<IfArm>(arms), hasElse, otherwise);
}

/// Reports a chain of elifs that is too long, and skips the rest of the chain.
static void skipArms(Parser &parser) {
  parser.complain(parser.token.range(), diag::NestingTooDeep, "blocks (an elif counts as one)",
                  maxNesting);
  while (parser.token.isOneOf(TokenKind::Elif, TokenKind::Else)) {
    parser.panic();
    parser.recover();
  }
}

/// Whether an elif follows. Corrects 'else if' and similar forms to 'elif'.
static bool atElif(Parser &parser) {
  if (parser.at(TokenKind::Else) && parser.peek().is(TokenKind::If)) {
    SourceRange range = parser.token.range().to(parser.ahead.range());
    parser.complain(range, diag::ForeignWord, "else if", "elif").fix("elif");
    parser.advance();
    return true;
  }
  bool isWord =
      parser.at(TokenKind::Identifier) && !parser.peek().isOneOf(TokenKind::Equal, TokenKind::Dot);
  return parser.at(TokenKind::Elif) || (isWord && acceptForeignWord(parser, TokenKind::Elif));
}

Stmt *parseWhile(Parser &parser) {
  const char *begin = parser.advance().begin;
  const Expr *condition = parseCondition(parser);
  SourceRange header = parser.from(begin);
  return parser.make<WhileStmt>(header, condition, parseBlock(parser, "the condition", header));
}

} // namespace spl::syntax

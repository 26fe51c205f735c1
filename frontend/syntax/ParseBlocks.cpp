// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, and the statements that have them: if, while, for.

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

Block Parser::parseBlock(StringRef what, SourceRange header, StringRef *doc) {
  bool headerIsGood = !isPanicking && !at(TokenKind::Invalid);
  if (headerIsGood && !accept(TokenKind::Colon)) {
    headerIsGood = false;
    if (at(TokenKind::Newline))
      complain(afterPrevious(), diag::MissingColon, what, describe(token)).fix(":");
    else if (!failForeign())
      fail(token.range(), diag::MissingColon, what, describe(token));
  }
  if (!headerIsGood && !at(TokenKind::Newline))
    panic();
  if (!at(TokenKind::Newline)) {
    Statements statements{parseSimpleStatement()};
    return keep<const Stmt *>(statements);
  }
  advance();
  isPanicking = false;
  if (at(TokenKind::Indent))
    return parseIndentedBlock(doc);
  if (headerIsGood)
    complain(header, diag::ExpectedBlock, what);
  return {};
}

Block Parser::parseIndentedBlock(StringRef *doc) {
  if (blockNesting == maxNesting) {
    complain(peek().range(), diag::NestingTooDeep, "blocks (an elif counts as one)", maxNesting);
    skipBlock();
    return {};
  }
  ++blockNesting;
  advance();
  if (doc && at(TokenKind::Docstring))
    *doc = parseDocstring();
  Statements statements;
  parseStatements(statements);
  --blockNesting;
  return keep<const Stmt *>(statements);
}

/// Statements up to and including the Dedent of their block.
void Parser::parseStatements(Statements &statements) {
  // Lines indented without a block before them are read as if they were not.
  unsigned strayIndents = 0;
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Indent)) {
      advance();
      complain(token.range(), diag::UnexpectedIndent);
      ++strayIndents;
    } else if (!at(TokenKind::Dedent)) {
      statements.push_back(parseStatement());
    } else {
      advance();
      if (strayIndents == 0)
        return;
      --strayIndents;
    }
  }
}

Stmt *Parser::parseIf() {
  const char *begin = token.begin;
  SourceRange header;
  llvm::SmallVector<IfArm, 4> arms;
  Block otherwise;
  bool hasElse = false;
  unsigned outerNesting = blockNesting;
  do {
    // Each elif is an if inside the else before it.
    blockNesting = outerNesting + arms.size();
    if (!arms.empty() && blockNesting >= maxNesting) {
      skipArms();
      break;
    }
    const char *armBegin = advance().begin;
    const Expr *condition = parseExpression();
    if (arms.empty())
      header = from(begin);
    arms.push_back({condition, parseBlock("the condition", from(armBegin))});
  } while (atElif());
  if (at(TokenKind::Else)) {
    SourceRange elseRange = advance().range();
    hasElse = true;
    otherwise = parseBlock("'else'", elseRange);
  }
  blockNesting = outerNesting;
  return make<IfStmt>(header, keep<IfArm>(arms), hasElse, otherwise);
}

/// Reports a chain of elifs that is too long, once, and skips the rest of it.
void Parser::skipArms() {
  complain(token.range(), diag::NestingTooDeep, "blocks (an elif counts as one)", maxNesting);
  while (token.isOneOf(TokenKind::Elif, TokenKind::Else)) {
    panic();
    recover();
  }
}

/// Whether an elif follows; 'else if' and its like are corrected to one.
bool Parser::atElif() {
  if (at(TokenKind::Else) && peek().is(TokenKind::If)) {
    SourceRange range = token.range().to(ahead.range());
    complain(range, diag::ForeignWord, "else if", "elif").fix("elif");
    advance();
    return true;
  }
  bool isWord = at(TokenKind::Identifier) && !peek().isOneOf(TokenKind::Equal, TokenKind::Dot);
  return at(TokenKind::Elif) || (isWord && acceptForeignWord(TokenKind::Elif));
}

Stmt *Parser::parseWhile() {
  const char *begin = advance().begin;
  const Expr *condition = parseExpression();
  SourceRange header = from(begin);
  return make<WhileStmt>(header, condition, parseBlock("the condition", header));
}

/// for i in a..b:
Stmt *Parser::parseFor() {
  const char *begin = advance().begin;
  Identifier variable;
  if (at(TokenKind::LParen) && peek().is(TokenKind::Identifier))
    failExpected("the loop's variable: 'for i in a..b:'");
  else if (std::optional<Identifier> name = parseName("the loop's variable"))
    variable = *name;
  const Expr *lower = nullptr, *upper = nullptr;
  bool isGood = expect(TokenKind::In, "'in' and a range") && parseRange(lower, upper);
  SourceRange header = from(begin);
  Block body = parseBlock("the range", header);
  if (variable.name.empty())
    return make<ErrorStmt>(header);
  if (!isGood)
    lower = upper = error(header.begin);
  return make<ForStmt>(header, variable, lower, upper, body);
}

/// a..b; answers whether it is one.
bool Parser::parseRange(const Expr *&lower, const Expr *&upper) {
  SourceRange first = token.range();
  lower = parseExpression();
  if (isPanicking)
    return false;
  if (at(TokenKind::DotDotEqual)) {
    notYet(token.range(), "a range with its end ('..=')");
    return false;
  }
  if (!accept(TokenKind::DotDot)) {
    if (first.text() == "range" && lower->kind == Expr::Kind::Call)
      complain(lower->range, diag::ForeignWord, "range", "a..b");
    else if (at(TokenKind::Colon))
      notYet(lower->range, "a loop over anything but a range 'a..b'");
    else
      failExpected("'..' and the range's end");
    return false;
  }
  upper = parseExpression();
  if (at(TokenKind::Identifier) && (token.text() == "step" || token.text() == "unroll")) {
    notYet(token.range(), "'" + token.text() + "'");
    return false;
  }
  return !isPanicking;
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, and if and while. Loops over something are in ParseLoops.cpp, match in ParseMatch.cpp.

#include "frontend/syntax/ParserImpl.h"

namespace spl::syntax {

Parser::Opening Parser::openBlock(StringRef what, SourceRange header, StringRef remedy) {
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
  if (!at(TokenKind::Newline))
    return Opening::OnLine;
  advance();
  isPanicking = false;
  if (at(TokenKind::Indent))
    return Opening::Indented;
  if (headerIsGood)
    complain(header, diag::ExpectedBlock, what, remedy);
  return Opening::Missing;
}

Block Parser::parseBlock(StringRef what, SourceRange header, StringRef *doc) {
  Statements statements;
  auto parseLine = [&] { statements.push_back(parseStatement()); };
  switch (openBlock(what, header, "; write 'pass' for an empty one")) {
  case Opening::OnLine:
    statements.push_back(parseSimpleStatement());
    break;
  case Opening::Indented:
    parseIndented(doc, parseLine);
    break;
  case Opening::Missing:
    break;
  }
  return keep<const Stmt *>(statements);
}

void Parser::parseIndented(StringRef *doc, llvm::function_ref<void()> parseLine) {
  if (blockNesting == maxNesting) {
    complain(peek().range(), diag::NestingTooDeep, "blocks (an elif counts as one)", maxNesting);
    return skipBlock();
  }
  ++blockNesting;
  advance();
  if (doc && at(TokenKind::Docstring))
    *doc = parseDocstring();
  parseLines(parseLine);
  --blockNesting;
}

/// Lines up to and including the Dedent of their block.
void Parser::parseLines(llvm::function_ref<void()> parseLine) {
  // Lines indented without a block before them are read as if they were not.
  unsigned strayIndents = 0;
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Indent)) {
      advance();
      complain(token.range(), diag::UnexpectedIndent);
      ++strayIndents;
    } else if (!at(TokenKind::Dedent)) {
      parseLine();
    } else {
      advance();
      if (strayIndents == 0)
        return;
      --strayIndents;
    }
  }
}

/// What is followed by anything but its block, as in 'if a = b:', means nothing.
Expr *Parser::parseCondition() {
  if (atWord("let") && peek().is(TokenKind::Identifier)) // if let Some(x) = e
    return failPatternCondition();
  Expr *condition = parseExpression();
  bool isComplete = at(TokenKind::Colon) || at(TokenKind::LBrace) || atLineEnd();
  return isComplete ? condition : error(condition->range.begin);
}

/// The names in the pattern are not judged where they are used.
Expr *Parser::failPatternCondition() {
  const char *begin = token.begin;
  StringRef pattern = restOfLine(token.end).split('=').first;
  while (!(pattern = pattern.drop_until(lex::isIdentifierStart)).empty()) {
    skippedNames.push_back(pattern.take_while(lex::isIdentifierPart));
    pattern = pattern.drop_front(skippedNames.back().size());
  }
  fail(token.range(), diag::ForeignForm, "let",
       "a condition is a bool, as in 'if i < n:', and 'match' takes an enum apart");
  return error(begin);
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
    const Expr *condition = parseCondition();
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
  const Expr *condition = parseCondition();
  SourceRange header = from(begin);
  return make<WhileStmt>(header, condition, parseBlock("the condition", header));
}

} // namespace spl::syntax

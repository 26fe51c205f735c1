// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simple statements: val and var, assignments, expressions, return, break, continue, pass; and what
// begins no statement. print and assert are in ParseFormats.cpp, compound ones in ParseBlocks.cpp,
// ParseLoops.cpp and ParseMatch.cpp.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

Stmt *Parser::parseStatement() {
  // A word of another language, where it can only be that: 'let x', 'elseif c:', 'printf "x"'.
  if (atWord("let") && peek().is(TokenKind::LParen) && restOfLine(ahead.end).contains('='))
    acceptForeignWord(TokenKind::Val); // let (a, b) = t
  else if (at(TokenKind::Identifier) &&
           (peek().isOneOf(TokenKind::Identifier, TokenKind::String) || isKeyword(ahead.kind)))
    for (TokenKind kind : {TokenKind::Val, TokenKind::For, TokenKind::Fn, TokenKind::Match,
                           TokenKind::Struct, TokenKind::Print}) {
      bool isItem = kind == TokenKind::Fn || kind == TokenKind::Struct;
      if (isItem ? failForeignItem(kind) : acceptForeignWord(kind)) {
        // What follows these words is written in another way too.
        if (isItem || kind == TokenKind::Match)
          return skipStatement();
        break;
      }
    }
  switch (token.kind) {
  case TokenKind::If:
    return parseIf();
  case TokenKind::While:
    return parseWhile();
  case TokenKind::For:
    return parseFor();
  case TokenKind::Match:
    return parseMatch();
  default:
    return parseSimpleStatement();
  }
}

/// 'def f(x):' inside a function
bool Parser::failForeignItem(TokenKind replacement) {
  StringRef word = remedyForWord(token.text(), replacement);
  if (!word.empty())
    fail(token.range(), diag::MisplacedItem, token.text(), "a function",
         ("; there write '" + word + "'").str());
  return !word.empty();
}

/// Passes a statement that was reported, with its block.
Stmt *Parser::skipStatement() {
  const char *begin = token.begin;
  panic();
  recover();
  return make<ErrorStmt>(from(begin));
}

/// Turns the token into the keyword that was meant, after saying so.
bool Parser::acceptForeignWord(TokenKind replacement) {
  StringRef word = at(TokenKind::Identifier) ? remedyForWord(token.text(), replacement) : "";
  if (word.empty())
    return false;
  if (token.text() == "let" && peek().is(TokenKind::Identifier) && ahead.text() == "mut")
    word = "var";
  complain(token.range(), diag::ForeignWord, token.text(), word).fix(word.str());
  token.kind = replacement;
  return true;
}

/// One statement that fits a line, up to and including the line's end.
Stmt *Parser::parseSimpleStatement() {
  Stmt *statement = nullptr;
  switch (token.kind) {
  case TokenKind::Val:
  case TokenKind::Var:
    statement = parseLet();
    break;
  case TokenKind::Break:
    statement = make<BreakStmt>(advance().range());
    break;
  case TokenKind::Continue:
    statement = make<ContinueStmt>(advance().range());
    break;
  case TokenKind::Pass:
    statement = make<PassStmt>(advance().range());
    break;
  case TokenKind::Return:
    statement = parseReturn();
    break;
  case TokenKind::Print:
    statement = parsePrint();
    break;
  case TokenKind::Assert:
    statement = parseAssert();
    break;
  case TokenKind::Identifier:
  case TokenKind::Int:
  case TokenKind::Float:
  case TokenKind::InvalidLiteral:
  case TokenKind::True:
  case TokenKind::False:
  case TokenKind::Self:
  case TokenKind::LParen:
  case TokenKind::LBracket:
  case TokenKind::Tilde:
  case TokenKind::Not:
  case TokenKind::Bang:
  case TokenKind::Star:
    statement = parseExpressionStatement();
    break;
  case TokenKind::Minus:
    statement = peek().is(TokenKind::Minus) && ahead.begin == token.end
                    ? failDecrement()
                    : parseExpressionStatement();
    break;
  default:
    statement = failStatement();
  }
  bool isComplete = isPanicking || endLine();
  if (!isComplete)
    statement = withoutMeaning(statement);
  recover();
  return statement;
}

/// What is left of a statement with something after it, 'retrun x' or 'y = a ? 1 : 2': its
/// expressions mean nothing, but a name that it declares is known.
Stmt *Parser::withoutMeaning(Stmt *statement) {
  if (auto *let = llvm::dyn_cast<LetStmt>(statement)) {
    let->type = nullptr;
    let->value = error(let->range.begin);
    return let;
  }
  if (auto *let = llvm::dyn_cast<LetTupleStmt>(statement)) {
    let->value = error(let->range.begin);
    return let;
  }
  return make<ErrorStmt>(statement->range);
}

/// --x, which would be two minus signs.
Stmt *Parser::failDecrement() {
  SourceRange range{token.begin, ahead.end};
  fail(range, diag::ForeignForm, "--", "write '-= 1'");
  return make<ErrorStmt>(range);
}

/// Says why the token begins no simple statement.
Stmt *Parser::failStatement() {
  const char *begin = token.begin;
  SourceRange range = token.range();
  switch (token.kind) {
  case TokenKind::If:
  case TokenKind::While:
  case TokenKind::For:
  case TokenKind::Match:
    fail(range, diag::ExpectedSimpleStatement, token.text());
    break;
  case TokenKind::Elif:
  case TokenKind::Else:
    fail(range, diag::ElseWithoutIf, token.text(), "an 'if'");
    break;
  case TokenKind::Case:
    fail(range, diag::ElseWithoutIf, token.text(), "a 'match'");
    break;
  case TokenKind::Fn:
  case TokenKind::Struct:
  case TokenKind::Enum:
  case TokenKind::Use:
    if (peek().is(TokenKind::Identifier)) {
      StringRef rest = restOfLine(token.end).ltrim();
      if (at(TokenKind::Use))
        rest = rest.rsplit('.').second;
      skippedNames.push_back(rest.take_while(lex::isIdentifierPart));
    }
    [[fallthrough]];
  case TokenKind::Const:
  case TokenKind::HashLBracket:
    fail(range, diag::MisplacedItem, token.text(), "a function",
         at(TokenKind::Const) ? "; what is fixed inside one is a 'val'" : "");
    break;
  case TokenKind::Docstring:
    fail(range, diag::MisplacedDocstring);
    break;
  default:
    if (at(TokenKind::DotDot) && *token.end == '.')
      fail({token.begin, token.end + 1}, diag::ForeignForm, "...", "write 'pass'");
    else if (!failForeign())
      fail(range, diag::ExpectedStatement, describe(token));
  }
  return make<ErrorStmt>(from(begin));
}

/// val x = e, var x: T = e
Stmt *Parser::parseLet() {
  bool isVar = at(TokenKind::Var);
  const char *begin = advance().begin;
  if (at(TokenKind::LParen))
    return parseLetTuple(begin, isVar);
  // 'let mut x' and 'val mut x' mean 'var x'.
  if (at(TokenKind::Identifier) && token.text() == "mut" && peek().is(TokenKind::Identifier)) {
    if (StringRef(begin, 3) != "let") // which was reported
      complain({begin, token.end}, diag::ForeignWord, "mut", "var").fix("var");
    isVar = true;
    advance();
  }
  std::optional<Identifier> name = parseName("the name of a value");
  if (!name)
    return make<ErrorStmt>(from(begin));
  if (at(TokenKind::Comma)) {
    fail(name->range, diag::TuplePattern);
    return make<ErrorStmt>(from(begin));
  }
  const TypeExpr *type = accept(TokenKind::Colon) ? parseDeclaredType() : nullptr;
  const Expr *value = parseInitialiser(name->range, type != nullptr);
  if (isPanicking) // before the end of the type, perhaps
    type = nullptr;
  return make<LetStmt>(from(begin), isVar, *name, type, value);
}

/// The '=' after a declared name, and what follows it.
const Expr *Parser::parseInitialiser(SourceRange name, bool isTyped) {
  if (at(TokenKind::Newline) && !isPanicking)
    complain(name, diag::MissingInitialiser, name.text());
  else if (expect(TokenKind::Equal,
                  isTyped ? "'=' and a value" : "':' and a type, or '=' and a value"))
    return parseExpression();
  return error(token.begin);
}

/// val (q, r) = e
Stmt *Parser::parseLetTuple(const char *begin, bool isVar) {
  Token opening = advance();
  llvm::SmallVector<Identifier, 4> names;
  while (!at(TokenKind::RParen)) {
    std::optional<Identifier> name = parseName("the name of a value");
    if (!name)
      return make<ErrorStmt>(from(begin));
    names.push_back(*name);
    if (!accept(TokenKind::Comma))
      break;
  }
  if (!expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return make<ErrorStmt>(from(begin));
  SourceRange pattern = from(opening.begin);
  if (names.size() < 2)
    complain(pattern, diag::TupleTooShort);
  const Expr *value = parseInitialiser(pattern, true);
  if (names.size() < 2)
    value = error(value->range.begin);
  return make<LetTupleStmt>(from(begin), isVar, keep<Identifier>(names), value);
}

Stmt *Parser::parseReturn() {
  const char *begin = advance().begin;
  const Expr *value = nullptr;
  if (!atLineEnd())
    value = parseExpression();
  return make<ReturnStmt>(from(begin), value);
}

/// The operator of a compound assignment, nothing for '='; no answer for other tokens.
static std::optional<std::optional<BinaryOp>> assignmentOperator(TokenKind kind) {
  switch (kind) {
#define COMPOUND(Token, Operator)                                                                  \
  case TokenKind::Token:                                                                           \
    return BinaryOp::Operator;
#include "frontend/syntax/Operators.def"
  case TokenKind::Equal:
    return std::optional<BinaryOp>();
  default:
    return std::nullopt;
  }
}

Stmt *Parser::parseExpressionStatement() {
  Expr *value = nullptr;
  Token first = token;
  StringRef habit = at(TokenKind::Identifier) ? remedyForHabit(token.text()) : "";
  if (!habit.empty() && peek().isOneOf(TokenKind::Identifier, TokenKind::Int, TokenKind::String,
                                       TokenKind::Colon, TokenKind::LBrace)) {
    fail(token.range(), diag::ForeignForm, token.text(), habit);
    return make<ErrorStmt>(token.range());
  }
  if (at(TokenKind::Identifier) && peek().is(TokenKind::Star) && failForeignPointer())
    return make<ErrorStmt>(first.range());
  value = parseExpression();
  if (assignmentOperator(token.kind))
    return parseAssignment(value);
  if (at(TokenKind::Identifier) && value->kind == Expr::Kind::Name && failForeignLet(first))
    return make<ErrorStmt>(value->range);
  bool isDeclaration = // x: i32 = 1
      at(TokenKind::Identifier) ||
      (at(TokenKind::Colon) && peek().isOneOf(TokenKind::Equal, TokenKind::Identifier));
  if (value->kind == Expr::Kind::Name && isDeclaration && !isPanicking) {
    fail(token.range(), diag::ExpectedEndOfLine, describe(token),
         "; a value is declared as 'val name: type = value'");
    return make<ErrorStmt>(value->range);
  }
  if (at(TokenKind::Comma) && !isPanicking && restOfLine(token.end).contains('=')) { // a, b = b, a
    fail(token.range(), diag::ExpectedEndOfLine, describe(token),
         "; places are assigned one at a time, and names declared as 'val (a, b) = t'");
    return make<ErrorStmt>(value->range);
  }
  StringRef word = remedyForWord(first.text(), TokenKind::Match);
  if (!word.empty() && token.isOneOf(TokenKind::Colon, TokenKind::LBrace)) { // switch (x):
    fail(first.range(), diag::ForeignWord, first.text(), word);
    return make<ErrorStmt>(value->range);
  }
  return make<ExprStmt>(value->range, value);
}

/// float *p = x
bool Parser::failForeignPointer() {
  StringRef ours = typeForForeign(token.text());
  StringRef type = ours.empty() && isScalarTypeName(token.text()) ? token.text() : ours;
  if (type.empty())
    return false;
  skippedNames.push_back(restOfLine(ahead.end).ltrim(" *").take_while(lex::isIdentifierPart));
  std::string remedy =
      ("there are no pointers; a slice is a parameter 'a: &[" + type + "]', and a part 'a[i..]'")
          .str();
  fail({token.begin, ahead.end}, diag::ForeignForm, (token.text() + "*").str(), remedy);
  return true;
}

/// int x = 1, unsigned int x, float x[4]: reported where the first word is the name of a type.
bool Parser::failForeignLet(const Token &first) {
  llvm::SmallVector<StringRef, 4> words;
  StringRef rest = restOfLine(first.begin);
  while (!rest.empty() && lex::isIdentifierStart(rest.front())) {
    words.push_back(rest.take_while(lex::isIdentifierPart));
    rest = rest.drop_front(words.back().size()).ltrim(' ');
  }
  StringRef name = words.pop_back_val();
  bool isOurs = isScalarTypeName(first.text()) || isVectorTypeName(first.text());
  std::string type = words.size() != 1 ? typeOfWords(words)
                     : isOurs          ? first.text().str()
                                       : typeForForeign(first.text()).str();
  if (type.empty() || isPanicking)
    return false;
  SourceRange range{first.begin, name.end()};
  if (rest.starts_with("[")) // float x[4]
    fail(range, diag::ForeignForm, range.text(),
         ("an array is declared as 'var " + name + ": [" + type + "; 4] = [0; 4]', and in " +
          "shared memory as 'val " + name + " = gpu.shared[" + type + "](4)'")
             .str());
  else
    fail(range, diag::ForeignForm, range.text(),
         ("write 'val " + name + ": " + type + " = ...'").str());
  skippedNames.push_back(name);
  return true;
}

Stmt *Parser::parseAssignment(Expr *target) {
  std::optional<BinaryOp> op = *assignmentOperator(token.kind);
  SourceRange opRange = advance().range();
  Expr *value = parseExpression();
  return make<AssignStmt>(target->range.to(value->range), target, op, opRange, value);
}

} // namespace spl::syntax

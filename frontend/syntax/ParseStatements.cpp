// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simple statements: val and var, assignments, expressions, return, break, continue and pass. Also
// reports tokens that begin no statement. print and assert are in ParseFormats.cpp. Statements with
// blocks are in ParseBlocks.cpp, ParseLoops.cpp and ParseMatch.cpp.

#include "frontend/syntax/ParseStatements.h"
#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

static Stmt *failStatement(Parser &parser);
static Stmt *parseAssignment(Parser &parser, Expr *target, std::optional<BinaryOp> op);
static Stmt *parseExpressionStatement(Parser &parser);
static Stmt *parseLet(Parser &parser);
static Stmt *parseLetTuple(Parser &parser, const char *begin, bool isVar);
static Stmt *parseReturn(Parser &parser);
static Stmt *skipStatement(Parser &parser);
static Stmt *withoutMeaning(Parser &parser, Stmt *statement);

/// Parses 'outer: for ...' and 'outer: while ...', if there is one.
static Stmt *parseLabelled(Parser &parser) {
  if (!parser.at(TokenKind::Identifier) || !parser.peek().is(TokenKind::Colon))
    return nullptr;
  StringRef behind = restOfLine(parser.ahead.end).ltrim();
  const bool isFor = behind.starts_with("for ");
  if (!isFor && !behind.starts_with("while "))
    return nullptr;
  const Token name = parser.advance();
  const Identifier label{name.range().text(), name.range()};
  parser.advance(); // the colon
  Stmt *loop = isFor ? parseFor(parser) : parseWhile(parser);
  if (auto *stmt = llvm::dyn_cast<WhileStmt>(loop))
    stmt->label = label;
  else if (auto *stmt = llvm::dyn_cast<ForStmt>(loop))
    stmt->label = label;
  else if (auto *stmt = llvm::dyn_cast<ForEachStmt>(loop))
    stmt->label = label;
  return loop;
}

/// break and continue, with or without a label.
template <class Jump> static Stmt *parseJump(Parser &parser) {
  const char *begin = parser.advance().begin;
  Identifier label;
  if (parser.at(TokenKind::Identifier))
    label = parseName(parser, "a label").value_or(Identifier());
  return parser.make<Jump>(parser.from(begin), label);
}

Stmt *parseStatement(Parser &parser) {
  if (Stmt *loop = parseLabelled(parser))
    return loop;
  if (failForeignAlias(parser))
    return skipStatement(parser);
  // Words of other languages, if they can be nothing else: 'let x', 'elseif c:', 'printf "x"'.
  if (parser.atWord("let") && parser.peek().is(TokenKind::LParen) &&
      restOfLine(parser.ahead.end).contains('='))
    acceptForeignWord(parser, TokenKind::Val); // let (a, b) = t
  else if (parser.at(TokenKind::Identifier) &&
           (parser.peek().isOneOf(TokenKind::Identifier, TokenKind::String) ||
            isKeyword(parser.ahead.kind)))
    for (TokenKind kind : {TokenKind::Val, TokenKind::For, TokenKind::Fn, TokenKind::Match,
                           TokenKind::Struct, TokenKind::Print}) {
      bool isItem = kind == TokenKind::Fn || kind == TokenKind::Struct;
      if (isItem ? failForeignItem(parser, kind) : acceptForeignWord(parser, kind)) {
        // The rest of these statements has another syntax too.
        if (isItem || kind == TokenKind::Match)
          return skipStatement(parser);
        break;
      }
    }
  switch (parser.token.kind) {
  case TokenKind::If:
    return parseIf(parser);
  case TokenKind::While:
    return parseWhile(parser);
  case TokenKind::For:
    return parseFor(parser);
  case TokenKind::Match:
    return parseMatch(parser);
  default:
    return parseSimpleStatement(parser);
  }
}

/// Skips a statement with a reported error, and its block.
static Stmt *skipStatement(Parser &parser) {
  const char *begin = parser.token.begin;
  parser.panic();
  parser.recover();
  return parser.make<ErrorStmt>(parser.from(begin));
}

/// Parses a statement without a block, up to and including the end of the line.
Stmt *parseSimpleStatement(Parser &parser) {
  Stmt *statement = nullptr;
  switch (parser.token.kind) {
  case TokenKind::Val:
  case TokenKind::Var:
    statement = parseLet(parser);
    break;
  case TokenKind::Break:
    statement = parseJump<BreakStmt>(parser);
    break;
  case TokenKind::Continue:
    statement = parseJump<ContinueStmt>(parser);
    break;
  case TokenKind::Pass:
    statement = parser.make<PassStmt>(parser.advance().range());
    break;
  case TokenKind::Return:
    statement = parseReturn(parser);
    break;
  case TokenKind::Print:
    statement = parsePrint(parser);
    break;
  case TokenKind::Assert:
    statement = parseAssert(parser);
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
    statement = parseExpressionStatement(parser);
    break;
  case TokenKind::Minus:
    statement = parser.peek().is(TokenKind::Minus) && parser.ahead.begin == parser.token.end
                    ? failDecrement(parser)
                    : parseExpressionStatement(parser);
    break;
  default:
    statement = failStatement(parser);
  }
  bool isComplete = parser.isPanicking || parser.endLine();
  if (!isComplete)
    statement = withoutMeaning(parser, statement);
  parser.recover();
  return statement;
}

/// Returns the statement that replaces one with an error after it, as in 'retrun x' or 'y = a ? 1 :
/// 2'. Its expressions become Error nodes, but a name that it declares stays declared.
static Stmt *withoutMeaning(Parser &parser, Stmt *statement) {
  if (auto *let = llvm::dyn_cast<LetStmt>(statement)) {
    let->type = nullptr;
    let->value = parser.error(let->range.begin);
    return let;
  }
  if (auto *let = llvm::dyn_cast<LetTupleStmt>(statement)) {
    let->value = parser.error(let->range.begin);
    return let;
  }
  return parser.make<ErrorStmt>(statement->range);
}

/// Reports that the token begins no simple statement.
static Stmt *failStatement(Parser &parser) {
  const char *begin = parser.token.begin;
  SourceRange range = parser.token.range();
  switch (parser.token.kind) {
  case TokenKind::If:
  case TokenKind::While:
  case TokenKind::For:
  case TokenKind::Match:
    parser.fail(range, diag::ExpectedSimpleStatement, parser.token.text());
    break;
  case TokenKind::Elif:
  case TokenKind::Else:
    parser.fail(range, diag::ElseWithoutIf, parser.token.text(), "an 'if'");
    break;
  case TokenKind::Case:
    parser.fail(range, diag::ElseWithoutIf, parser.token.text(), "a 'match'");
    break;
  case TokenKind::Fn:
  case TokenKind::Struct:
  case TokenKind::Enum:
  case TokenKind::Use:
    if (parser.peek().is(TokenKind::Identifier)) {
      StringRef rest = restOfLine(parser.token.end).ltrim();
      if (parser.at(TokenKind::Use))
        rest = rest.rsplit('.').second;
      parser.items.skippedNames.push_back(rest.take_while(lex::isIdentifierPart));
    }
    [[fallthrough]];
  case TokenKind::Const:
  case TokenKind::HashLBracket:
    parser.fail(range, diag::MisplacedItem, parser.token.text(), "a function",
                parser.at(TokenKind::Const) ? "; inside a function, declare a 'val'" : "");
    break;
  case TokenKind::Docstring:
    parser.fail(range, diag::MisplacedDocstring);
    break;
  default:
    if (parser.at(TokenKind::DotDot) && *parser.token.end == '.')
      parser.fail({parser.token.begin, parser.token.end + 1}, diag::ForeignForm, "...",
                  "write 'pass'");
    else if (!failForeign(parser))
      parser.fail(range, diag::ExpectedStatement, describe(parser.token));
  }
  return parser.make<ErrorStmt>(parser.from(begin));
}

/// val x = e, var x: T = e
static Stmt *parseLet(Parser &parser) {
  bool isVar = parser.at(TokenKind::Var);
  const char *begin = parser.advance().begin;
  if (parser.at(TokenKind::LParen))
    return parseLetTuple(parser, begin, isVar);
  // 'let mut x' and 'val mut x' mean 'var x'.
  if (parser.at(TokenKind::Identifier) && parser.token.text() == "mut" &&
      parser.peek().is(TokenKind::Identifier)) {
    if (StringRef(begin, 3) != "let") // 'let' is reported already
      parser.complain({begin, parser.token.end}, diag::ForeignWord, "mut", "var").fix("var");
    isVar = true;
    parser.advance();
  }
  std::optional<Identifier> name = parseName(parser, "the name of a value");
  if (!name)
    return parser.make<ErrorStmt>(parser.from(begin));
  if (parser.at(TokenKind::Comma)) {
    parser.fail(name->range, diag::TuplePattern);
    return parser.make<ErrorStmt>(parser.from(begin));
  }
  const TypeExpr *type = parser.accept(TokenKind::Colon) ? parseDeclaredType(parser) : nullptr;
  const Expr *value = parseInitialiser(parser, name->range, type != nullptr);
  if (parser.isPanicking) // the type may be incomplete
    type = nullptr;
  return parser.make<LetStmt>(parser.from(begin), isVar, *name, type, value);
}

/// The '=' after a declared name, and the value.
const Expr *parseInitialiser(Parser &parser, SourceRange name, bool isTyped) {
  if (parser.at(TokenKind::Newline) && !parser.isPanicking)
    parser.complain(name, diag::MissingInitialiser, name.text());
  else if (parser.expect(TokenKind::Equal,
                         isTyped ? "'=' and a value" : "':' and a type, or '=' and a value"))
    return parseExpression(parser);
  return parser.error(parser.token.begin);
}

/// val (q, r) = e
static Stmt *parseLetTuple(Parser &parser, const char *begin, bool isVar) {
  Token opening = parser.advance();
  llvm::SmallVector<Identifier, 4> names;
  while (!parser.at(TokenKind::RParen)) {
    std::optional<Identifier> name = parseName(parser, "the name of a value");
    if (!name)
      return parser.make<ErrorStmt>(parser.from(begin));
    names.push_back(*name);
    if (!parser.accept(TokenKind::Comma))
      break;
  }
  if (!parser.expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return parser.make<ErrorStmt>(parser.from(begin));
  SourceRange pattern = parser.from(opening.begin);
  if (names.size() < 2)
    parser.complain(pattern, diag::TupleTooShort);
  const Expr *value = parseInitialiser(parser, pattern, true);
  if (names.size() < 2)
    value = parser.error(value->range.begin);
  return parser.make<LetTupleStmt>(parser.from(begin), isVar, parser.keep<Identifier>(names),
                                   value);
}

static Stmt *parseReturn(Parser &parser) {
  const char *begin = parser.advance().begin;
  const Expr *value = nullptr;
  if (!parser.atLineEnd())
    value = parseExpression(parser);
  return parser.make<ReturnStmt>(parser.from(begin), value);
}

/// Returns the operator of a compound assignment, or an empty operator for '='. Returns nothing for
/// other tokens.
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

/// Whether the token begins the '//=' of Python. The text '//===' is a comment of C.
static bool atFloorAssignment(const Parser &parser) {
  return parser.at(TokenKind::SlashSlash) && parser.token.end[0] == '=' &&
         parser.token.end[1] != '=';
}

static Stmt *parseExpressionStatement(Parser &parser) {
  Expr *value = nullptr;
  Token first = parser.token;
  StringRef habit = parser.at(TokenKind::Identifier) ? hintForHabit(parser.token.text()) : "";
  if (!habit.empty() &&
      parser.peek().isOneOf(TokenKind::Identifier, TokenKind::Int, TokenKind::String,
                            TokenKind::Colon, TokenKind::LBrace)) {
    parser.fail(parser.token.range(), diag::ForeignForm, parser.token.text(), habit);
    return parser.make<ErrorStmt>(parser.token.range());
  }
  if (parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::Star) &&
      failForeignPointer(parser))
    return parser.make<ErrorStmt>(first.range());
  value = parseExpression(parser);
  if (std::optional<std::optional<BinaryOp>> op = assignmentOperator(parser.token.kind))
    return parseAssignment(parser, value, *op);
  if (atFloorAssignment(parser)) {
    parser
        .complain({parser.token.begin, parser.token.end + 1}, diag::ForeignForm,
                  "//=", "write '/=', which truncates the quotient of integers")
        .fix("/=");
    parser.advance();
    return parseAssignment(parser, value, BinaryOp::Div);
  }
  if (parser.at(TokenKind::Identifier) && value->kind == Expr::Kind::Name &&
      failForeignLet(parser, first))
    return parser.make<ErrorStmt>(value->range);
  bool isDeclaration = // x: i32 = 1
      parser.at(TokenKind::Identifier) ||
      (parser.at(TokenKind::Colon) &&
       parser.peek().isOneOf(TokenKind::Equal, TokenKind::Identifier));
  if (value->kind == Expr::Kind::Name && isDeclaration && !parser.isPanicking) {
    parser.fail(parser.token.range(), diag::ExpectedEndOfLine, describe(parser.token),
                "; write 'val name: type = value' to declare a value");
    return parser.make<ErrorStmt>(value->range);
  }
  if (parser.at(TokenKind::Comma) && !parser.isPanicking &&
      restOfLine(parser.token.end).contains('=')) { // a, b = b, a
    parser.fail(parser.token.range(), diag::ExpectedEndOfLine, describe(parser.token),
                "; write '(a, b) = (b, a)', or 'val (a, b) = t' to declare names");
    return parser.make<ErrorStmt>(value->range);
  }
  StringRef word = hintForWord(first.text(), TokenKind::Match);
  if (!word.empty() && parser.token.isOneOf(TokenKind::Colon, TokenKind::LBrace)) { // switch (x):
    parser.fail(first.range(), diag::ForeignWord, first.text(), word);
    return parser.make<ErrorStmt>(value->range);
  }
  return parser.make<ExprStmt>(value->range, value);
}

/// Reports 'a = b = c', at its second assignment. `first` is 'a = b', and `place` is 'b'.
static Stmt *failChain(Parser &parser, SourceRange first, SourceRange place) {
  SourceRange opRange = parser.advance().range();
  SourceRange second = place.to(parseExpression(parser)->range);
  const bool isPair = !assignmentOperator(parser.token.kind);
  const bool isShort = !shortOr(second.text(), "").empty() && !shortOr(first.text(), "").empty();
  std::string hint =
      isPair && isShort
          ? ("'" + second.text() + "', and '" + first.text() + "' on the next line").str()
          : "one assignment for each place";
  parser.fail(opRange, diag::ChainedAssignment, hint);
  return parser.make<ErrorStmt>(first);
}

/// Parses an assignment from the last token of its operator on. For '=' there is no \p op.
static Stmt *parseAssignment(Parser &parser, Expr *target, std::optional<BinaryOp> op) {
  SourceRange opRange = parser.advance().range();
  Expr *value = parseExpression(parser);
  if (assignmentOperator(parser.token.kind) && !parser.isPanicking)
    return failChain(parser, target->range.to(value->range), value->range);
  return parser.make<AssignStmt>(target->range.to(value->range), target, op, opRange, value);
}

} // namespace spl::syntax

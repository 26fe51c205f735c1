// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, by the precedences of Operators.def: conditionals, binary operators, comparison
// chains, casts, unary operators and powers.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

namespace {
enum Precedence : unsigned {
  Lowest = 1, // or
  NotLevel = 3,
  ComparisonLevel = 4,
  BitXorLevel = 6,
  CastLevel = 11,
};
} // namespace

static bool isTypeName(const Expr &expr) {
  auto *name = llvm::dyn_cast<NameExpr>(&expr);
  return name && (isScalarTypeName(name->name) || isVectorTypeName(name->name) ||
                  !typeForForeign(name->name).empty());
}

static bool isComparison(unsigned precedence) { return precedence == ComparisonLevel; }

/// The operator's row; nothing for other tokens and for '**', which parsePower takes.
static std::optional<BinaryOperator> binaryOperator(TokenKind kind) {
  switch (kind) {
#define BINARY(Id, Spelling, Token, Precedence, Family)                                            \
  case TokenKind::Token:                                                                           \
    return BinaryOperator{BinaryOp::Id, Precedence};
#include "frontend/syntax/Operators.def"
  // Another language's spelling, for which the right one was meant.
  case TokenKind::AmpAmp:
    return binaryOperator(TokenKind::And);
  case TokenKind::PipePipe:
    return binaryOperator(TokenKind::Or);
  default:
    return std::nullopt;
  }
}

std::optional<BinaryOperator> Parser::atBinaryOperator() {
  std::optional<BinaryOperator> found = binaryOperator(token.kind);
  return found && found->op != BinaryOp::Pow ? found : std::nullopt;
}

Expr *Parser::parseExpression() {
  Nesting guard(*this);
  if (guard.isTooDeep())
    return error(token.begin);
  if (at(TokenKind::If))
    return parseInlineIf();
  Expr *value = parseBinary(Lowest);
  if (!accept(TokenKind::If))
    return value;
  Expr *condition = parseBinary(Lowest);
  if (!expect(TokenKind::Else, "'else' and the other value"))
    return error(value->range.begin);
  Expr *other = parseExpression();
  return finish(make<ConditionalExpr>(value->range.to(other->range), condition, value, other),
                {value, condition, other});
}

/// if c: a else: b
Expr *Parser::parseInlineIf() {
  const char *begin = advance().begin;
  Expr *condition = parseBinary(Lowest);
  if (!expect(TokenKind::Colon, "':' after the condition"))
    return error(begin);
  Expr *then = parseExpression();
  if (!expect(TokenKind::Else, "'else:' and the other value") ||
      !expect(TokenKind::Colon, "':' after 'else'"))
    return error(begin);
  Expr *other = parseExpression();
  return finish(make<ConditionalExpr>(from(begin), condition, then, other),
                {condition, then, other});
}

/// Operators that bind at least as tight as the given precedence, left to right.
Expr *Parser::parseBinary(unsigned minPrecedence) {
  Expr *lhs = at(TokenKind::Not) && minPrecedence <= NotLevel ? parseNot() : parseUnary();
  while (true) {
    if (at(TokenKind::As) && minPrecedence <= CastLevel) {
      advance();
      const TypeExpr *type = parseType();
      // The type holds expressions, as in [f32; n + 1]: it counts as a child does.
      lhs = finish(make<CastExpr>(from(lhs->range.begin), lhs, type), {lhs}, {}, type->height);
      continue;
    }
    std::optional<BinaryOperator> found = atBinaryOperator();
    if (!found || found->precedence < minPrecedence)
      return lhs;
    if (isComparison(found->precedence)) {
      lhs = parseComparison(lhs);
      continue;
    }
    if (token.isOneOf(TokenKind::Shl, TokenKind::Shr) && *token.end == token.end[-1]) {
      bool isLaunch = at(TokenKind::Shl);
      fail({token.begin, token.end + 1}, diag::ForeignForm, isLaunch ? "<<<" : ">>>",
           isLaunch ? "the host launches kernels, and functions are called as 'f(x)'"
                    : "'>>' of an unsigned number brings in zeros: 'x as u32 >> n'");
      return error(lhs->range.begin);
    }
    if (token.isOneOf(TokenKind::AmpAmp, TokenKind::PipePipe))
      complain(token.range(), diag::ForeignForm, token.text(), remedyForOperator(token.kind))
          .fix(spelling(found->op).str());
    SourceRange opRange = advance().range();
    Expr *rhs = parseBinary(found->precedence + 1);
    lhs = finish(make<BinaryExpr>(lhs->range.to(rhs->range), found->op, opRange, lhs, rhs),
                 {lhs, rhs});
  }
}

Expr *Parser::parsePatternValue() { return parseBinary(BitXorLevel); }

Expr *Parser::parseNot() {
  Nesting guard(*this);
  if (guard.isTooDeep())
    return error(token.begin);
  const char *begin = advance().begin;
  Expr *operand = parseBinary(NotLevel);
  return finish(make<UnaryExpr>(from(begin), UnaryOp::Not, operand), {operand});
}

/// first < b <= c ...: one comparison, or a chain of them.
Expr *Parser::parseComparison(Expr *first) {
  llvm::SmallVector<const Expr *, 4> operands{first};
  llvm::SmallVector<BinaryOp, 4> ops;
  SourceRange opRange;
  while (true) {
    std::optional<BinaryOperator> found = atBinaryOperator();
    if (!found || !isComparison(found->precedence))
      break;
    ops.push_back(found->op);
    opRange = advance().range();
    operands.push_back(parseBinary(ComparisonLevel + 1));
    if (ops.back() == BinaryOp::Lt && at(TokenKind::Greater) && isTypeName(*operands.back())) {
      fail(opRange.to(token.range()), diag::ForeignForm, opRange.to(token.range()).text(),
           "a generic's arguments stand in brackets: 'f[f32](x)'");
      return error(first->range.begin);
    }
  }
  SourceRange range = first->range.to(operands.back()->range);
  if (ops.size() == 1)
    return finish(make<BinaryExpr>(range, ops[0], opRange, operands[0], operands[1]), {}, operands);
  // A chain is as high as the conjunction that it stands for.
  return finish(make<CompareChainExpr>(range, keep<const Expr *>(operands), keep<BinaryOp>(ops)),
                {}, operands, ops.size());
}

Expr *Parser::parseUnary() {
  bool isForeignNot = at(TokenKind::Bang);
  if (!token.isOneOf(TokenKind::Minus, TokenKind::Tilde) && !isForeignNot)
    return parsePower();
  Nesting guard(*this);
  if (guard.isTooDeep())
    return error(token.begin);
  UnaryOp op = at(TokenKind::Minus)   ? UnaryOp::Neg
               : at(TokenKind::Tilde) ? UnaryOp::BitNot
                                      : UnaryOp::Not;
  if (isForeignNot)
    complain(token.range(), diag::ForeignForm, "!", remedyForOperator(token.kind)).fix("not ");
  const char *begin = advance().begin;
  Expr *operand = parseUnary();
  return finish(make<UnaryExpr>(from(begin), op, operand), {operand});
}

/// base ** exponent: tighter than a minus before it, looser than one after it.
Expr *Parser::parsePower() {
  Expr *base = parsePostfix();
  if (!at(TokenKind::StarStar))
    return base;
  Nesting guard(*this);
  if (guard.isTooDeep())
    return error(base->range.begin);
  if (peek().is(TokenKind::Equal) && ahead.begin == token.end) { // a[i] **= 2
    StringRef place = base->range.text();
    bool isShort = place.size() <= 40 && !place.contains('\n');
    fail({token.begin, ahead.end}, diag::ForeignForm, "**=",
         isShort ? ("write '" + place + " = " + place + " ** ...'").str() : "write 'x = x ** ...'");
    return error(base->range.begin);
  }
  SourceRange opRange = advance().range();
  Expr *exponent = parseUnary();
  return finish(
      make<BinaryExpr>(base->range.to(exponent->range), BinaryOp::Pow, opRange, base, exponent),
      {base, exponent});
}

} // namespace spl::syntax

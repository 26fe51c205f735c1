// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, by the precedences of Operators.def: conditionals, binary operators, comparison
// chains, casts, unary operators and powers.

#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

namespace {

/// The row of a binary operator for its token.
struct BinaryOperator {
  BinaryOp op;
  unsigned precedence;
};

} // namespace

static Expr *parseBinary(Parser &parser, unsigned minPrecedence);
static Expr *parseComparison(Parser &parser, Expr *first);
static Expr *parseInlineIf(Parser &parser);
static Expr *parseNot(Parser &parser);
static Expr *parsePower(Parser &parser);
static Expr *parseUnary(Parser &parser);

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

/// Returns the operator's row. Returns nothing for other tokens, and for '**', which parsePower
/// parses.
static std::optional<BinaryOperator> binaryOperator(TokenKind kind) {
  switch (kind) {
#define BINARY(Id, Spelling, Token, Precedence, Family)                                            \
  case TokenKind::Token:                                                                           \
    return BinaryOperator{BinaryOp::Id, Precedence};
#include "frontend/syntax/Operators.def"
  // Spellings of other languages are accepted as the corresponding operators.
  case TokenKind::AmpAmp:
    return binaryOperator(TokenKind::And);
  case TokenKind::PipePipe:
    return binaryOperator(TokenKind::Or);
  default:
    return std::nullopt;
  }
}

static std::optional<BinaryOperator> atBinaryOperator(Parser &parser) {
  std::optional<BinaryOperator> found = binaryOperator(parser.token.kind);
  return found && found->op != BinaryOp::Pow ? found : std::nullopt;
}

Expr *parseExpression(Parser &parser) {
  Nesting guard(parser);
  if (guard.isTooDeep())
    return parser.error(parser.token.begin);
  if (parser.at(TokenKind::If))
    return parseInlineIf(parser);
  Expr *value = parseBinary(parser, Lowest);
  if (!parser.accept(TokenKind::If))
    return value;
  Expr *condition = parseBinary(parser, Lowest);
  if (!parser.expect(TokenKind::Else, "'else' and the other value"))
    return parser.error(value->range.begin);
  Expr *other = parseExpression(parser);
  return parser.finish(
      parser.make<ConditionalExpr>(value->range.to(other->range), condition, value, other),
      {value, condition, other});
}

/// if c: a else: b
static Expr *parseInlineIf(Parser &parser) {
  const char *begin = parser.advance().begin;
  Expr *condition = parseBinary(parser, Lowest);
  if (!parser.expect(TokenKind::Colon, "':' after the condition"))
    return parser.error(begin);
  Expr *then = parseExpression(parser);
  if (!parser.expect(TokenKind::Else, "'else:' and the other value") ||
      !parser.expect(TokenKind::Colon, "':' after 'else'"))
    return parser.error(begin);
  Expr *other = parseExpression(parser);
  return parser.finish(parser.make<ConditionalExpr>(parser.from(begin), condition, then, other),
                       {condition, then, other});
}

/// Whether `is` and the name of a type or bound follow a name. `is` is no keyword elsewhere.
static bool atTypeTest(Parser &parser, const Expr &lhs) {
  return lhs.kind == Expr::Kind::Name && parser.at(TokenKind::Identifier) &&
         parser.token.text() == "is" && parser.peek().is(TokenKind::Identifier);
}

/// Parses operators of at least the given precedence, left to right.
static Expr *parseBinary(Parser &parser, unsigned minPrecedence) {
  Expr *lhs = parser.at(TokenKind::Not) && minPrecedence <= NotLevel ? parseNot(parser)
                                                                     : parseUnary(parser);
  while (true) {
    if (parser.at(TokenKind::As) && minPrecedence <= CastLevel) {
      parser.advance();
      const TypeExpr *type = parseType(parser);
      // The type may contain expressions, as in [f32; n + 1], so its height counts too.
      lhs = parser.finish(parser.make<CastExpr>(parser.from(lhs->range.begin), lhs, type), {lhs},
                          {}, type->height);
      continue;
    }
    if (atTypeTest(parser, *lhs) && minPrecedence <= ComparisonLevel) {
      parser.advance();
      const TypeExpr *type = parseType(parser);
      lhs = parser.finish(parser.make<TypeTestExpr>(parser.from(lhs->range.begin), lhs, type),
                          {lhs}, {}, type->height);
      continue;
    }
    std::optional<BinaryOperator> found = atBinaryOperator(parser);
    if (!found || found->precedence < minPrecedence)
      return lhs;
    if (isComparison(found->precedence)) {
      lhs = parseComparison(parser, lhs);
      continue;
    }
    if (parser.token.isOneOf(TokenKind::Shl, TokenKind::Shr) &&
        *parser.token.end == parser.token.end[-1]) {
      bool isLaunch = parser.at(TokenKind::Shl);
      parser.fail({parser.token.begin, parser.token.end + 1}, diag::ForeignForm,
                  isLaunch ? "<<<" : ">>>",
                  isLaunch ? "the host launches kernels; write 'f(x)' to call a function"
                           : "'>>' of an unsigned number shifts in zeros: 'x as u32 >> n'");
      return parser.error(lhs->range.begin);
    }
    if (parser.token.isOneOf(TokenKind::AmpAmp, TokenKind::PipePipe))
      parser
          .complain(parser.token.range(), diag::ForeignForm, parser.token.text(),
                    hintForOperator(parser.token.kind))
          .fix(spelling(found->op).str());
    SourceRange opRange = parser.advance().range();
    Expr *rhs = parseBinary(parser, found->precedence + 1);
    lhs = parser.finish(
        parser.make<BinaryExpr>(lhs->range.to(rhs->range), found->op, opRange, lhs, rhs),
        {lhs, rhs});
  }
}

Expr *parsePatternValue(Parser &parser) { return parseBinary(parser, BitXorLevel); }

static Expr *parseNot(Parser &parser) {
  Nesting guard(parser);
  if (guard.isTooDeep())
    return parser.error(parser.token.begin);
  const char *begin = parser.advance().begin;
  Expr *operand = parseBinary(parser, NotLevel);
  return parser.finish(parser.make<UnaryExpr>(parser.from(begin), UnaryOp::Not, operand),
                       {operand});
}

/// Parses first < b <= c ...: one comparison, or a chain of them.
static Expr *parseComparison(Parser &parser, Expr *first) {
  llvm::SmallVector<const Expr *, 4> operands{first};
  llvm::SmallVector<BinaryOp, 4> ops;
  SourceRange opRange;
  while (true) {
    std::optional<BinaryOperator> found = atBinaryOperator(parser);
    if (!found || !isComparison(found->precedence))
      break;
    ops.push_back(found->op);
    opRange = parser.advance().range();
    operands.push_back(parseBinary(parser, ComparisonLevel + 1));
    if (ops.back() == BinaryOp::Lt && parser.at(TokenKind::Greater) &&
        isTypeName(*operands.back())) {
      parser.fail(opRange.to(parser.token.range()), diag::ForeignForm,
                  opRange.to(parser.token.range()).text(),
                  ("generic arguments are written in brackets: '" +
                   shortOr(operands.front()->range.text(), "f") + "[" +
                   operands.back()->range.text() + "](...)'")
                      .str());
      return parser.error(first->range.begin);
    }
  }
  SourceRange range = first->range.to(operands.back()->range);
  if (ops.size() == 1)
    return parser.finish(parser.make<BinaryExpr>(range, ops[0], opRange, operands[0], operands[1]),
                         {}, operands);
  // A chain counts as high as the conjunction that it represents.
  return parser.finish(parser.make<CompareChainExpr>(range, parser.keep<const Expr *>(operands),
                                                     parser.keep<BinaryOp>(ops)),
                       {}, operands, ops.size());
}

static Expr *parseUnary(Parser &parser) {
  bool isForeignNot = parser.at(TokenKind::Bang);
  if (!parser.token.isOneOf(TokenKind::Minus, TokenKind::Tilde) && !isForeignNot)
    return parsePower(parser);
  Nesting guard(parser);
  if (guard.isTooDeep())
    return parser.error(parser.token.begin);
  UnaryOp op = parser.at(TokenKind::Minus)   ? UnaryOp::Neg
               : parser.at(TokenKind::Tilde) ? UnaryOp::BitNot
                                             : UnaryOp::Not;
  if (isForeignNot)
    parser
        .complain(parser.token.range(), diag::ForeignForm, "!", hintForOperator(parser.token.kind))
        .fix("not ");
  const char *begin = parser.advance().begin;
  Expr *operand = parseUnary(parser);
  return parser.finish(parser.make<UnaryExpr>(parser.from(begin), op, operand), {operand});
}

/// Parses base ** exponent. It binds tighter than a minus before the base, and looser than a minus
/// before the exponent.
static Expr *parsePower(Parser &parser) {
  Expr *base = parsePostfix(parser);
  if (!parser.at(TokenKind::StarStar))
    return base;
  Nesting guard(parser);
  if (guard.isTooDeep())
    return parser.error(base->range.begin);
  if (parser.peek().is(TokenKind::Equal) && parser.ahead.begin == parser.token.end) { // a[i] **= 2
    StringRef place = base->range.text();
    bool isShort = place.size() <= 40 && !place.contains('\n');
    parser.fail({parser.token.begin, parser.ahead.end}, diag::ForeignForm, "**=",
                isShort ? ("write '" + place + " = " + place + " ** ...'").str()
                        : "write 'x = x ** ...'");
    return parser.error(base->range.begin);
  }
  SourceRange opRange = parser.advance().range();
  Expr *exponent = parseUnary(parser);
  return parser.finish(parser.make<BinaryExpr>(base->range.to(exponent->range), BinaryOp::Pow,
                                               opRange, base, exponent),
                       {base, exponent});
}

} // namespace spl::syntax

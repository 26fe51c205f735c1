// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for: over a range, an array, a slice or a grid stride, with step and unroll, which are words only
// here.

#include "frontend/syntax/ParserImpl.h"
#include "llvm/Support/Casting.h"

namespace spl::syntax {

static constexpr StringRef oneVariable =
    "a loop has one variable: 'for i in 0..a.len():', and 'a[i]' inside";

/// for i in a..b step s unroll:, for x in a:
Stmt *Parser::parseFor() {
  const char *begin = advance().begin;
  Identifier variable = parseLoopVariable();
  const Expr *first = nullptr, *upper = nullptr, *step = nullptr;
  Unroll unroll;
  bool isInclusive = false;
  bool isGood = !at(TokenKind::Equal) || isPanicking;
  if (at(TokenKind::Comma)) { // for i, x in enumerate(a)
    const char *names = previousEnd;
    fail(token.range(), diag::ForeignForm, "for i, x in", oneVariable);
    skipNames(names);
    isGood = false;
  } else if (!isGood) // for i = 0 to n
    fail(token.range(), diag::ExpectedToken, "'in' and a range: 'for i in a..b:'", describe(token));
  isGood = isGood && expect(TokenKind::In, "'in' and a range: 'for i in a..b:'");
  if (isGood) {
    first = parseExpression();
    isInclusive = at(TokenKind::DotDotEqual);
    if (isInclusive || at(TokenKind::DotDot)) {
      advance();
      upper = parseExpression();
      if (atWord("step")) {
        advance();
        step = parseExpression();
      }
    }
    bool isColon = !upper && at(TokenKind::Colon) && first->kind == Expr::Kind::Int &&
                   restOfLine(token.end).contains(':');
    if (isColon) // for i in 0:n:
      fail(token.range(), diag::ForeignForm, "a:b", "a range is 'a..b'");
    unroll = parseUnroll();
    bool isComplete = token.isOneOf(TokenKind::Colon, TokenKind::LBrace) || atLineEnd();
    isGood = isComplete && !isPanicking && (upper || !failForeignRange(*first));
  }
  SourceRange header = from(begin);
  Block body = parseBlock("the range", header);
  if (variable.name.empty())
    return make<ErrorStmt>(header);
  if (!isGood) {
    first = error(header.begin);
    upper = upper ? first : nullptr;
    step = step ? first : nullptr;
  }
  if (!upper)
    return make<ForEachStmt>(header, variable, first, unroll, body);
  return make<ForStmt>(header, variable, first, upper, isInclusive, step, unroll, body);
}

/// What to write for a loop of C, from what stands after its '(': 'int i = 0; i < n; i++) {' or
/// 'float x : a) {'.
static std::string remedyForLoop(StringRef text) {
  std::string general = "write 'for i in a..b:'";
  if (!text.contains(';') && text.contains(" : "))
    return "write 'for x in a:'";
  if (text.contains(") in ")) // for (i, x) in a
    return oneVariable.str();
  auto [first, afterFirst] = text.split(';');
  auto [condition, last] = afterFirst.split(';');
  StringRef name = first.split('=').first.rtrim();
  name = name.drop_front(name.find_last_of(" *(") + 1);
  StringRef from = first.split('=').second.trim(), to = condition.trim();
  last = last.rsplit(')').first.trim();
  bool isLess = !name.empty() && to.consume_front(name) && (to = to.ltrim()).consume_front("<");
  bool isInclusive = isLess && to.consume_front("=");
  to = to.ltrim();
  StringRef step;
  bool isCounting = last == (name + "++").str() || last == ("++" + name).str();
  if (!isCounting && last.consume_front(name) && (last = last.ltrim()).consume_front("+="))
    step = last.trim();
  bool isKnown = isLess && !from.empty() && !to.empty() && (isCounting || !step.empty());
  if (!isKnown || text.size() > 80)
    return general;
  return ("write 'for " + name + " in " + from + (isInclusive ? "..=" : "..") + to +
          (step.empty() ? "" : " step " + step.str()) + ":'")
      .str();
}

/// Empty where there is none, which was reported.
Identifier Parser::parseLoopVariable() {
  if (at(TokenKind::LParen)) {
    fail(token.range(), diag::ForeignForm, "for (...)", remedyForLoop(restOfLine(token.end)));
    return {};
  }
  return parseName("the loop's variable").value_or(Identifier());
}

/// Reports 'range(n)', which is none here.
bool Parser::failForeignRange(const Expr &iterable) {
  auto *call = llvm::dyn_cast<CallExpr>(&iterable);
  auto *callee = call ? llvm::dyn_cast<NameExpr>(call->callee) : nullptr;
  if (!callee || callee->name != "range")
    return false;
  // range(n), range(a, b), range(a, b, step)
  auto text = [&](size_t index) {
    StringRef bound = call->arguments[index].value->range.text();
    bool isLength = bound.consume_front("len(") && bound.consume_back(")");
    return bound.str() + (isLength ? ".len()" : "");
  };
  size_t count = call->arguments.size();
  std::string remedy = "a..b";
  if (iterable.range.text().size() <= 40 && count >= 1 && count <= 3)
    remedy = (count == 1 ? "0.." + text(0) : text(0) + ".." + text(1)) +
             (count == 3 ? " step " + text(2) : "");
  diag::Builder message = complain(iterable.range, diag::ForeignWord, "range", remedy);
  if (remedy != "a..b")
    message.fix(remedy);
  return true;
}

/// unroll, unroll(4), or nothing
Unroll Parser::parseUnroll() {
  if (!atWord("unroll"))
    return {};
  const char *begin = advance().begin;
  const Expr *factor = nullptr;
  if (at(TokenKind::LParen)) {
    Token opening = advance();
    factor = parseExpression();
    accept(TokenKind::Comma);
    expectClosing(TokenKind::RParen, opening, "')'");
  }
  return {from(begin), factor};
}

} // namespace spl::syntax

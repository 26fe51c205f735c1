// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands: names, literals, parentheses, tuples and arrays, and the calls, indices and members
// that follow them.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/ParseExpressions.h"
#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/SyntaxHints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

static Expr *failExpression(Parser &parser, StringRef hint = "");
static bool parseArgument(Parser &parser, llvm::SmallVectorImpl<Argument> &arguments);
static Expr *parseArray(Parser &parser);
static Expr *parseCall(Parser &parser, Expr *callee);
static Expr *parseComprehension(Parser &parser, Token opening, const Expr *element);
static Expr *parseIndex(Parser &parser, Expr *base);
static Expr *parseIndexItem(Parser &parser, StringRef base);
static Expr *parseMember(Parser &parser, Expr *base);
static Expr *parseNameOrWord(Parser &parser);
static Expr *parseNumber(Parser &parser);
static Expr *parseParenthesised(Parser &parser);
static Expr *parsePlaceRef(Parser &parser);
static Expr *parsePrimary(Parser &parser);
static Expr *parseTuple(Parser &parser, const Token &opening, Expr *first);
static Expr *parseTupleMembers(Parser &parser, Expr *base);

Expr *parsePostfix(Parser &parser) {
  Expr *value = parsePrimary(parser);
  while (true) {
    if (parser.at(TokenKind::LParen))
      value = parseCall(parser, value);
    else if (parser.at(TokenKind::LBracket))
      value = parseIndex(parser, value);
    else if (parser.at(TokenKind::Dot))
      value = parseMember(parser, value);
    else if (failForeignPostfix(parser, *value))
      return parser.error(value->range.begin);
    else
      return value;
  }
}

static Expr *parseCall(Parser &parser, Expr *callee) {
  Token opening = parser.advance();
  llvm::SmallVector<Argument, 8> arguments;
  while (!parser.at(TokenKind::RParen) && parseArgument(parser, arguments) &&
         parser.accept(TokenKind::Comma)) {
  }
  if (!parser.expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return parser.error(callee->range.begin);
  llvm::SmallVector<const Expr *, 8> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.value);
  return parser.finish(parser.make<CallExpr>(parser.from(callee->range.begin), callee,
                                             parser.keep<Argument>(arguments)),
                       {callee}, values);
}

static bool parseArgument(Parser &parser, llvm::SmallVectorImpl<Argument> &arguments) {
  std::optional<Identifier> name;
  if (parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::Colon)) {
    name = Identifier{parser.token.text(), parser.token.range()};
    parser.advance();
    parser.advance();
  } else if (parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::Equal)) {
    parser.fail(parser.ahead.range(), diag::NamedArgumentEquals, parser.token.text()).fix(":");
    return false;
  }
  const Expr *value = parser.at(TokenKind::Amp)      ? parsePlaceRef(parser)
                      : parser.at(TokenKind::String) ? parseString(parser)
                                                     : parseExpression(parser);
  arguments.push_back({name, value});
  return !parser.isPanicking;
}

/// &place, &mut place
static Expr *parsePlaceRef(Parser &parser) {
  const char *begin = parser.advance().begin;
  bool isMut = parser.atWord("mut") &&
               parser.peek().isOneOf(TokenKind::Identifier, TokenKind::Self, TokenKind::LParen);
  if (isMut)
    parser.advance();
  Expr *place = parsePostfix(parser);
  return parser.finish(parser.make<PlaceRefExpr>(parser.from(begin), isMut, place), {place});
}

static Expr *parseIndex(Parser &parser, Expr *base) {
  Token opening = parser.advance();
  llvm::SmallVector<const Expr *, 4> indices;
  do {
    // A comma may appear after the last index.
    if (parser.at(TokenKind::RBracket) && !indices.empty())
      break;
    indices.push_back(parseIndexItem(parser, base->range.text()));
  } while (parser.accept(TokenKind::Comma));
  if (!parser.expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return parser.error(base->range.begin);
  return parser.finish(parser.make<IndexExpr>(parser.from(base->range.begin), base,
                                              parser.keep<const Expr *>(indices)),
                       {base}, indices);
}

/// i, i..j, i.., ..j or .. of the slice base
static Expr *parseIndexItem(Parser &parser, StringRef base) {
  const char *begin = parser.token.begin;
  llvm::SmallVector<const Expr *, 2> bounds;
  const Expr *lower = nullptr, *upper = nullptr;
  auto atRange = [&] {
    return parser.token.isOneOf(TokenKind::DotDot, TokenKind::DotDotEqual, TokenKind::Colon);
  };
  if (!atRange()) {
    Expr *first = parseExpression(parser);
    if (!atRange())
      return first;
    lower = first;
    bounds.push_back(lower);
  }
  if (parser.at(TokenKind::Colon)) {
    failSliceColon(parser, base, lower ? lower->range.text() : "");
    return parser.error(begin);
  }
  if (parser.at(TokenKind::DotDotEqual)) {
    parser.fail(
        parser.token.range(), diag::ForeignForm, "..=",
        ("a sub-slice is '" + shortOr(base, "a") + "[i..j]', which does not include j").str());
    return parser.error(begin);
  }
  parser.advance();
  if (!parser.token.isOneOf(TokenKind::Comma, TokenKind::RBracket)) {
    upper = parseExpression(parser);
    bounds.push_back(upper);
  }
  return parser.finish(parser.make<RangeExpr>(parser.from(begin), lower, upper), {}, bounds);
}

static Expr *parseMember(Parser &parser, Expr *base) {
  Token dot = parser.advance();
  bool isName = parser.at(TokenKind::Identifier) || isKeyword(parser.token.kind);
  bool isExponent = parser.at(TokenKind::Identifier) && parser.token.begin == dot.end &&
                    parser.token.text().take_front().equals_insensitive("e") &&
                    llvm::all_of(parser.token.text().drop_front(), llvm::isDigit);
  bool isSuffix = parser.at(TokenKind::Identifier) && parser.token.begin == dot.end &&
                  parser.token.text() == "f";
  if (base->kind == Expr::Kind::Int && base->range.end == dot.begin &&
      (!isName || isExponent || isSuffix)) {
    parser.fail({base->range.begin, dot.end}, diag::InvalidNumber,
                parser.from(base->range.begin).text().str(),
                "it needs digits on both sides of the point, as in '1.0'");
    return parser.error(base->range.begin);
  }
  if (parser.at(TokenKind::Int) || parser.at(TokenKind::Float))
    return parseTupleMembers(parser, base);
  if (!parser.at(TokenKind::Identifier) && !isKeyword(parser.token.kind)) {
    parser.fail(parser.here(), diag::ExpectedName, "a member's name after '.'",
                describe(parser.token));
    return parser.error(base->range.begin);
  }
  // A keyword is valid as a member's name.
  Token name = parser.advance();
  Identifier member{name.text(), name.range()};
  return parser.finish(parser.make<MemberExpr>(base->range.to(member.range), base, member), {base});
}

/// Parses t.0 and t.0.1. The lexer returns the 0.1 as a float.
static Expr *parseTupleMembers(Parser &parser, Expr *base) {
  StringRef text = parser.token.text();
  auto [first, second] = text.split('.');
  bool areDigits = llvm::all_of(first, llvm::isDigit) && llvm::all_of(second, llvm::isDigit);
  if (!areDigits || (parser.at(TokenKind::Float) && second.empty())) {
    parser.fail(parser.here(), diag::ExpectedName, "a member's name or a number like 0 after '.'",
                describe(parser.token));
    return parser.error(base->range.begin);
  }
  parser.advance();
  for (StringRef name : {first, second}) {
    if (name.empty())
      continue;
    Identifier member{name, {name.begin(), name.end()}};
    base =
        parser.finish(parser.make<MemberExpr>(base->range.to(member.range), base, member), {base});
  }
  return base;
}

static Expr *parsePrimary(Parser &parser) {
  switch (parser.token.kind) {
  case TokenKind::Int:
  case TokenKind::Float:
    return parseNumber(parser);
  case TokenKind::InvalidLiteral:
    return parser.make<ErrorExpr>(parser.advance().range());
  case TokenKind::True:
  case TokenKind::False: {
    bool value = parser.at(TokenKind::True);
    return parser.make<BoolExpr>(parser.advance().range(), value);
  }
  case TokenKind::Identifier:
    return parseNameOrWord(parser);
  case TokenKind::LParen:
    return parseParenthesised(parser);
  case TokenKind::LBracket:
    return parseArray(parser);
  case TokenKind::Self:
    if (!parser.isInMethod) {
      parser.fail(parser.token.range(), diag::InvalidSelf,
                  "can only be used in methods, the functions inside a struct");
      return parser.error(parser.token.begin);
    }
    return parser.make<NameExpr>(parser.advance().range(), StringRef("self"));
  case TokenKind::Docstring:
    parser.fail(parser.token.range(), diag::MisplacedDocstring);
    return parser.error(parser.token.begin);
  case TokenKind::String:
    return failExpression(parser, "; strings can only be used in 'print', 'assert' and 'gpu.trap'");
  case TokenKind::Plus:
    parser.fail(parser.token.range(), diag::ForeignForm, "+", "remove the '+'");
    return parser.error(parser.token.begin);
  case TokenKind::Not:
    return failExpression(parser, "; put it in parentheses: '(not ...)'");
  case TokenKind::LBrace:
    parser.fail(parser.token.range(), diag::ForeignForm, "{...}",
                "an array is '[a, b]', and a struct 'Name(field: value)'");
    return parser.error(parser.token.begin);
  case TokenKind::Amp:
    return failExpression(parser, parser.peek().is(TokenKind::LBracket)
                                      ? "; a slice's type cannot be the argument of a generic"
                                      : "; '&place' can only be an argument, for a reference or an "
                                        "atomic; without '&' a value is copied, and a part of a "
                                        "slice is 'a[1..]'");
  case TokenKind::Star:
    return failExpression(
        parser,
        parser.peek().is(TokenKind::Identifier) && parser.ahead.begin == parser.token.end
            ? ("; there are no pointers, and an element is '" + parser.ahead.text() + "[i]'").str()
            : "");
  default:
    return failExpression(parser);
  }
}

/// Whether the line ends here, after an operator or '='.
static bool isAfterOperator(const Parser &parser) {
  return parser.at(TokenKind::Newline) && parser.previousEnd > parser.textBegin &&
         StringRef("+-*/%&|^<>=").contains(parser.previousEnd[-1]);
}

static Expr *failExpression(Parser &parser, StringRef hint) {
  const char *begin = parser.token.begin;
  bool isDecrement = parser.at(TokenKind::Newline) && parser.previousEnd - parser.textBegin >= 2 &&
                     StringRef(parser.previousEnd - 2, 2) == "--";
  if (isDecrement)
    parser.fail({parser.previousEnd - 2, parser.previousEnd}, diag::ForeignForm, "--",
                "write '-= 1'");
  else if (parser.at(TokenKind::Dot) && parser.peek().is(TokenKind::Int) &&
           parser.ahead.begin == parser.token.end)
    parser.fail({parser.token.begin, parser.ahead.end}, diag::InvalidNumber,
                ("." + parser.ahead.text()).str(),
                "it needs digits on both sides of the point, as in '0.5'");
  else if (!failForeign(parser))
    parser.fail(parser.here(), diag::ExpectedExpression, describe(parser.token),
                isAfterOperator(parser)
                    ? "; a line continues inside brackets: put the expression in parentheses"
                    : hint);
  return parser.error(begin);
}

static Expr *parseNameOrWord(Parser &parser) {
  StringRef name = parser.token.text();
  if (failMacro(parser))
    return parser.error(parser.token.begin);
  for (TokenKind kind : {TokenKind::True, TokenKind::False}) {
    StringRef word = hintForWord(name, kind);
    if (word.empty())
      continue;
    parser.complain(parser.token.range(), diag::ForeignWord, name, word).fix(word.str());
    return parser.make<ErrorExpr>(parser.advance().range());
  }
  bool isHabit = parser.peek().is(TokenKind::Less) ||
                 (parser.ahead.is(TokenKind::Identifier) && parser.ahead.text() != "step" &&
                  parser.ahead.text() != "unroll" && hintForHabit(parser.ahead.text()).empty());
  if (isHabit && !hintForHabit(name).empty()) { // static_cast<float>(x)
    parser.fail(parser.token.range(), diag::ForeignForm, name, hintForHabit(name));
    return parser.error(parser.token.begin);
  }
  return parser.make<NameExpr>(parser.advance().range(), name);
}

/// Returns the digits without underscores. If there are none, returns the text itself.
static StringRef withoutUnderscores(StringRef text, llvm::BumpPtrAllocator &arena) {
  if (!text.contains('_'))
    return text;
  std::string digits = text.str();
  std::erase(digits, '_');
  return StringRef(digits).copy(arena);
}

static Expr *parseNumber(Parser &parser) {
  Token number = parser.advance();
  if (number.is(TokenKind::Int))
    return parser.make<IntExpr>(number.range(), number.value, number.suffix());
  StringRef digits = number.text().drop_back(number.suffixLength);
  return parser.make<FloatExpr>(number.range(), withoutUnderscores(digits, parser.file.arena),
                                number.suffix());
}

/// Whether an operand begins here that cannot continue an expression: it begins with no bracket and
/// no sign.
static bool atOperand(Parser &parser) {
  return parser.token.isOneOf(TokenKind::Identifier, TokenKind::Int, TokenKind::Float,
                              TokenKind::Self) &&
         !parser.atWord("step") && !parser.atWord("unroll") &&
         hintForHabit(parser.token.text()).empty();
}

/// (a), or a tuple
static Expr *parseParenthesised(Parser &parser) {
  Token opening = parser.advance();
  Expr *inner = parseExpression(parser);
  if (parser.at(TokenKind::Comma))
    return parseTuple(parser, opening, inner);
  if (parser.token.isOneOf(TokenKind::DotDot, TokenKind::DotDotEqual)) { // (0..n).rev()
    parser.fail(
        parser.token.range(), diag::ForeignForm, "(a..b)",
        "remove the parentheses; a descending range is 'for i in (a..b).reversed():', on one line");
    return parser.error(opening.begin);
  }
  if (!parser.expectClosing(TokenKind::RParen, opening, "')'"))
    return parser.error(opening.begin);
  // (int) x: an operand after a name in parentheses means a cast of C.
  if (inner->kind == Expr::Kind::Name && atOperand(parser)) {
    StringRef type = static_cast<const NameExpr *>(inner)->name;
    StringRef ours = typeForForeign(type);
    parser.fail(parser.from(opening.begin), diag::ForeignForm, parser.from(opening.begin).text(),
                ("to convert a value, write '" + parser.token.text() + " as " +
                 (ours.empty() ? type : ours) + "'")
                    .str());
    return parser.error(opening.begin);
  }
  inner->range = parser.from(opening.begin);
  return inner;
}

/// Parses the rest of (a, b), from the first comma.
static Expr *parseTuple(Parser &parser, const Token &opening, Expr *first) {
  llvm::SmallVector<const Expr *, 4> elements{first};
  while (parser.accept(TokenKind::Comma) && !parser.at(TokenKind::RParen)) {
    if (opening.begin == parser.assertOpening && !parser.isPanicking) { // assert(c, "text")
      parser.fail(opening.range(), diag::ForeignForm, "assert(c, ...)",
                  "write 'assert c, \"x = {x}\"'");
      return parser.error(opening.begin);
    }
    elements.push_back(parseExpression(parser));
  }
  if (!parser.expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return parser.error(opening.begin);
  SourceRange range = parser.from(opening.begin);
  if (elements.size() < 2) {
    parser.complain(range, diag::TupleTooShort);
    return parser.error(opening.begin);
  }
  return parser.finish(parser.make<TupleExpr>(range, parser.keep<const Expr *>(elements)), {},
                       elements);
}

/// [element for i in a..b], behind the element
static Expr *parseComprehension(Parser &parser, Token opening, const Expr *element) {
  parser.advance();
  const std::optional<Identifier> variable = parseName(parser, "the variable");
  if (!variable || !parser.expect(TokenKind::In, "'in' and a range: '[x for i in a..b]'"))
    return parser.error(opening.begin);
  const Expr *lower = parseExpression(parser);
  const bool isInclusive = parser.at(TokenKind::DotDotEqual);
  if (!isInclusive && !parser.at(TokenKind::DotDot)) {
    parser.failExpected("'..': a range is 'a..b' or 'a..=b'");
    return parser.error(opening.begin);
  }
  parser.advance();
  const Expr *upper = parseExpression(parser);
  if (!parser.expectClosing(TokenKind::RBracket, opening, "']'"))
    return parser.error(opening.begin);
  return parser.finish(parser.make<ComprehensionExpr>(parser.from(opening.begin), element,
                                                      *variable, lower, upper, isInclusive),
                       {element, lower, upper});
}

/// [a, b], [value; count], or a comprehension
static Expr *parseArray(Parser &parser) {
  Token opening = parser.advance();
  llvm::SmallVector<const Expr *, 8> children;
  const Expr *count = nullptr;
  do {
    if (parser.at(TokenKind::RBracket) && children.empty())
      return failExpression(parser, "; an array needs at least one element, as in '[0.0; 4]'");
    if (parser.at(TokenKind::RBracket))
      break;
    children.push_back(parseExpression(parser));
  } while (parser.accept(TokenKind::Comma));
  if (children.size() == 1 && parser.at(TokenKind::For))
    return parseComprehension(parser, opening, children.front());
  if (children.size() == 1 && parser.accept(TokenKind::Semicolon))
    count = parseExpression(parser);
  if (count)
    parser.accept(TokenKind::Comma);
  if (parser.at(TokenKind::Semicolon)) {
    parser.fail(parser.token.range(), diag::ExpectedToken,
                "']': an array is '[a, b]' or '[value; count]'", describe(parser.token));
    return parser.error(opening.begin);
  }
  if (!parser.expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return parser.error(opening.begin);
  ArrayRef<const Expr *> elements = parser.keep<const Expr *>(children);
  if (count)
    children.push_back(count);
  return parser.finish(parser.make<ArrayExpr>(parser.from(opening.begin), elements, count), {},
                       children);
}

} // namespace spl::syntax

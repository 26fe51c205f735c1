// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operators stand between: names, literals, parentheses, tuples, arrays, and the calls,
// indices and members after them.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

Expr *Parser::parsePostfix() {
  Expr *value = parsePrimary();
  while (true) {
    if (at(TokenKind::LParen))
      value = parseCall(value);
    else if (at(TokenKind::LBracket))
      value = parseIndex(value);
    else if (at(TokenKind::Dot))
      value = parseMember(value);
    else if (failForeignPostfix(*value))
      return error(value->range.begin);
    else
      return value;
  }
}

/// p->x, P{1, 2}
bool Parser::failForeignPostfix(const Expr &value) {
  if (value.kind != Expr::Kind::Name)
    return false;
  StringRef name = value.range.text();
  if (at(TokenKind::Arrow) && token.begin == previousEnd && lex::isIdentifierStart(*token.end)) {
    fail(token.range(), diag::ForeignForm, name.str() + "->", "a member stands after '.'");
    return true;
  }
  if (!at(TokenKind::LBrace) || !llvm::isUpper(name.front()) ||
      !restOfLine(token.end).contains('}'))
    return false;
  fail(token.range(), diag::ForeignForm, name.str() + " {...}",
       ("a struct is built as '" + name + "(field: value)'").str());
  return true;
}

Expr *Parser::parseCall(Expr *callee) {
  Token opening = advance();
  llvm::SmallVector<Argument, 8> arguments;
  while (!at(TokenKind::RParen) && parseArgument(arguments) && accept(TokenKind::Comma)) {
  }
  if (!expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return error(callee->range.begin);
  llvm::SmallVector<const Expr *, 8> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.value);
  return finish(make<CallExpr>(from(callee->range.begin), callee, keep<Argument>(arguments)),
                {callee}, values);
}

bool Parser::parseArgument(llvm::SmallVectorImpl<Argument> &arguments) {
  std::optional<Identifier> name;
  if (at(TokenKind::Identifier) && peek().is(TokenKind::Colon)) {
    name = Identifier{token.text(), token.range()};
    advance();
    advance();
  } else if (at(TokenKind::Identifier) && peek().is(TokenKind::Equal)) {
    fail(ahead.range(), diag::NamedArgumentEquals, token.text()).fix(":");
    return false;
  }
  const Expr *value = at(TokenKind::Amp)      ? parsePlaceRef()
                      : at(TokenKind::String) ? parseString()
                                              : parseExpression();
  arguments.push_back({name, value});
  return !isPanicking;
}

/// &place, &mut place
Expr *Parser::parsePlaceRef() {
  const char *begin = advance().begin;
  bool isMut =
      atWord("mut") && peek().isOneOf(TokenKind::Identifier, TokenKind::Self, TokenKind::LParen);
  if (isMut)
    advance();
  Expr *place = parsePostfix();
  return finish(make<PlaceRefExpr>(from(begin), isMut, place), {place});
}

Expr *Parser::parseIndex(Expr *base) {
  Token opening = advance();
  llvm::SmallVector<const Expr *, 4> indices;
  do {
    // A comma may stand after the last index.
    if (at(TokenKind::RBracket) && !indices.empty())
      break;
    indices.push_back(parseIndexItem());
  } while (accept(TokenKind::Comma));
  if (!expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return error(base->range.begin);
  return finish(make<IndexExpr>(from(base->range.begin), base, keep<const Expr *>(indices)), {base},
                indices);
}

/// i, i..j, i.., ..j or ..
Expr *Parser::parseIndexItem() {
  const char *begin = token.begin;
  llvm::SmallVector<const Expr *, 2> bounds;
  const Expr *lower = nullptr, *upper = nullptr;
  auto atRange = [&] {
    return token.isOneOf(TokenKind::DotDot, TokenKind::DotDotEqual, TokenKind::Colon);
  };
  if (!atRange()) {
    Expr *first = parseExpression();
    if (!atRange())
      return first;
    lower = first;
    bounds.push_back(lower);
  }
  if (at(TokenKind::Colon)) {
    failSliceColon();
    return error(begin);
  }
  if (at(TokenKind::DotDotEqual)) {
    fail(token.range(), diag::ForeignForm, "..=", "a sub-slice is 'a[i..j]', without its end j");
    return error(begin);
  }
  advance();
  if (!token.isOneOf(TokenKind::Comma, TokenKind::RBracket)) {
    upper = parseExpression();
    bounds.push_back(upper);
  }
  return finish(make<RangeExpr>(from(begin), lower, upper), {}, bounds);
}

/// a[i:j], or a name with '::' inside the brackets
void Parser::failSliceColon() {
  bool isPath = previousEnd == token.begin && lex::isIdentifierPart(previousEnd[-1]);
  if (!isPath || !failForeign()) // std::max
    fail(token.range(), diag::ForeignForm, "i:j",
         "a sub-slice is 'a[i..j]', 'a[i..]', 'a[..j]' or 'a[..]'");
}

Expr *Parser::parseMember(Expr *base) {
  Token dot = advance();
  bool isName = at(TokenKind::Identifier) || isKeyword(token.kind);
  bool isExponent = at(TokenKind::Identifier) && token.begin == dot.end &&
                    token.text().take_front().equals_insensitive("e") &&
                    llvm::all_of(token.text().drop_front(), llvm::isDigit);
  bool isSuffix = at(TokenKind::Identifier) && token.begin == dot.end && token.text() == "f";
  if (base->kind == Expr::Kind::Int && base->range.end == dot.begin &&
      (!isName || isExponent || isSuffix)) {
    fail({base->range.begin, dot.end}, diag::InvalidNumber, from(base->range.begin).text().str(),
         "digits stand on both sides of its point, as in '1.0'");
    return error(base->range.begin);
  }
  if (at(TokenKind::Int) || at(TokenKind::Float))
    return parseTupleMembers(base);
  if (!at(TokenKind::Identifier) && !isKeyword(token.kind)) {
    fail(here(), diag::ExpectedName, "a member's name after '.'", describe(token));
    return error(base->range.begin);
  }
  // Words may be members: gpu.atomic_and is one name, gpu.match would be too.
  Token name = advance();
  Identifier member{name.text(), name.range()};
  return finish(make<MemberExpr>(base->range.to(member.range), base, member), {base});
}

/// t.0; and t.0.1, whose end is a float to the lexer.
Expr *Parser::parseTupleMembers(Expr *base) {
  StringRef text = token.text();
  auto [first, second] = text.split('.');
  bool areDigits = llvm::all_of(first, llvm::isDigit) && llvm::all_of(second, llvm::isDigit);
  if (!areDigits || (at(TokenKind::Float) && second.empty())) {
    fail(here(), diag::ExpectedName, "a member's name or a number like 0 after '.'",
         describe(token));
    return error(base->range.begin);
  }
  advance();
  for (StringRef name : {first, second}) {
    if (name.empty())
      continue;
    Identifier member{name, {name.begin(), name.end()}};
    base = finish(make<MemberExpr>(base->range.to(member.range), base, member), {base});
  }
  return base;
}

Expr *Parser::parsePrimary() {
  switch (token.kind) {
  case TokenKind::Int:
  case TokenKind::Float:
    return parseNumber();
  case TokenKind::InvalidLiteral:
    return make<ErrorExpr>(advance().range());
  case TokenKind::True:
  case TokenKind::False: {
    bool value = at(TokenKind::True);
    return make<BoolExpr>(advance().range(), value);
  }
  case TokenKind::Identifier:
    return parseNameOrWord();
  case TokenKind::LParen:
    return parseParenthesised();
  case TokenKind::LBracket:
    return parseArray();
  case TokenKind::Self:
    if (!isInMethod) {
      fail(token.range(), diag::InvalidSelf, "belongs to methods, the functions inside a struct");
      return error(token.begin);
    }
    return make<NameExpr>(advance().range(), StringRef("self"));
  case TokenKind::Docstring:
    fail(token.range(), diag::MisplacedDocstring);
    return error(token.begin);
  case TokenKind::String:
    return failExpression("; strings stand only in 'print', 'assert' and 'gpu.trap'");
  case TokenKind::Plus:
    fail(token.range(), diag::ForeignForm, "+", "a number needs no sign to be positive");
    return error(token.begin);
  case TokenKind::Not:
    return failExpression("; put it in parentheses: '(not ...)'");
  case TokenKind::LBrace:
    fail(token.range(), diag::ForeignForm, "{...}",
         "an array is '[a, b]', and a struct 'Name(field: value)'");
    return error(token.begin);
  case TokenKind::Amp:
    return failExpression(peek().is(TokenKind::LBracket)
                              ? "; a slice's type cannot be the argument of a generic"
                              : "; '&place' stands only as an argument of an atomic");
  case TokenKind::Star:
    return failExpression(peek().is(TokenKind::Identifier) && ahead.begin == token.end
                              ? "; there are no pointers, and an element is 'a[i]'"
                              : "");
  default:
    return failExpression();
  }
}

Expr *Parser::failExpression(StringRef hint) {
  const char *begin = token.begin;
  bool isDecrement = at(TokenKind::Newline) && previousEnd - textBegin >= 2 &&
                     StringRef(previousEnd - 2, 2) == "--";
  if (isDecrement)
    fail({previousEnd - 2, previousEnd}, diag::ForeignForm, "--", "write '-= 1'");
  else if (at(TokenKind::Dot) && peek().is(TokenKind::Int) && ahead.begin == token.end)
    fail({token.begin, ahead.end}, diag::InvalidNumber, ("." + ahead.text()).str(),
         "digits stand on both sides of its point, as in '0.5'");
  else if (!failForeign())
    fail(here(), diag::ExpectedExpression, describe(token), hint);
  return error(begin);
}

Expr *Parser::parseNameOrWord() {
  StringRef name = token.text();
  if (failMacro())
    return error(token.begin);
  for (TokenKind kind : {TokenKind::True, TokenKind::False}) {
    StringRef word = remedyForWord(name, kind);
    if (word.empty())
      continue;
    complain(token.range(), diag::ForeignWord, name, word).fix(word.str());
    return make<ErrorExpr>(advance().range());
  }
  bool isHabit = peek().is(TokenKind::Less) ||
                 (ahead.is(TokenKind::Identifier) && ahead.text() != "step" &&
                  ahead.text() != "unroll" && remedyForHabit(ahead.text()).empty());
  if (isHabit && !remedyForHabit(name).empty()) { // static_cast<float>(x)
    fail(token.range(), diag::ForeignForm, name, remedyForHabit(name));
    return error(token.begin);
  }
  return make<NameExpr>(advance().range(), name);
}

/// The digits without underscores, which are the text itself where it has none.
static StringRef withoutUnderscores(StringRef text, llvm::BumpPtrAllocator &arena) {
  if (!text.contains('_'))
    return text;
  std::string digits = text.str();
  std::erase(digits, '_');
  return StringRef(digits).copy(arena);
}

Expr *Parser::parseNumber() {
  Token number = advance();
  if (number.is(TokenKind::Int))
    return make<IntExpr>(number.range(), number.value, number.suffix());
  StringRef digits = number.text().drop_back(number.suffixLength);
  return make<FloatExpr>(number.range(), withoutUnderscores(digits, file.arena), number.suffix());
}

/// Whether a value begins here that nothing before it can take in: no bracket, no sign.
bool Parser::atOperand() {
  return token.isOneOf(TokenKind::Identifier, TokenKind::Int, TokenKind::Float, TokenKind::Self) &&
         !atWord("step") && !atWord("unroll") && remedyForHabit(token.text()).empty();
}

/// (a), or a tuple
Expr *Parser::parseParenthesised() {
  Token opening = advance();
  Expr *inner = parseExpression();
  if (at(TokenKind::Comma))
    return parseTuple(opening, inner);
  if (token.isOneOf(TokenKind::DotDot, TokenKind::DotDotEqual)) { // (0..n).rev()
    fail(token.range(), diag::ForeignForm, "(a..b)",
         "a range has no parentheses; downwards it is 'n - 1..=0 step -1'");
    return error(opening.begin);
  }
  if (!expectClosing(TokenKind::RParen, opening, "')'"))
    return error(opening.begin);
  // (int) x: nothing else follows a name in parentheses so.
  if (inner->kind == Expr::Kind::Name && atOperand()) {
    StringRef type = static_cast<const NameExpr *>(inner)->name;
    StringRef ours = typeForForeign(type);
    fail(from(opening.begin), diag::ForeignForm, from(opening.begin).text(),
         ("a value is converted as in '" + token.text() + " as " + (ours.empty() ? type : ours) +
          "'")
             .str());
    return error(opening.begin);
  }
  inner->range = from(opening.begin);
  return inner;
}

/// (a, b), from the first comma on
Expr *Parser::parseTuple(const Token &opening, Expr *first) {
  llvm::SmallVector<const Expr *, 4> elements{first};
  while (accept(TokenKind::Comma) && !at(TokenKind::RParen)) {
    if (opening.begin == assertOpening && !isPanicking) { // assert(c, "text")
      fail(opening.range(), diag::ForeignForm, "assert(c, ...)", "write 'assert c, \"x = {x}\"'");
      return error(opening.begin);
    }
    elements.push_back(parseExpression());
  }
  if (!expectClosing(TokenKind::RParen, opening, "',' or ')'"))
    return error(opening.begin);
  SourceRange range = from(opening.begin);
  if (elements.size() < 2) {
    complain(range, diag::TupleTooShort);
    return error(opening.begin);
  }
  return finish(make<TupleExpr>(range, keep<const Expr *>(elements)), {}, elements);
}

/// [a, b], or [value; count]
Expr *Parser::parseArray() {
  Token opening = advance();
  llvm::SmallVector<const Expr *, 8> children;
  const Expr *count = nullptr;
  do {
    if (at(TokenKind::RBracket) && children.empty())
      return failExpression("; an array has an element at least: '[0.0; 4]'");
    if (at(TokenKind::RBracket))
      break;
    children.push_back(parseExpression());
  } while (accept(TokenKind::Comma));
  if (at(TokenKind::For)) {
    fail(token.range(), diag::ForeignForm, "[... for ...]",
         "fill it in a loop: 'var a = [0.0; 4]'");
    return error(opening.begin);
  }
  if (children.size() == 1 && accept(TokenKind::Semicolon))
    count = parseExpression();
  if (count)
    accept(TokenKind::Comma);
  if (at(TokenKind::Semicolon)) {
    fail(token.range(), diag::ExpectedToken, "']': an array is '[a, b]' or '[value; count]'",
         describe(token));
    return error(opening.begin);
  }
  if (!expectClosing(TokenKind::RBracket, opening, "',' or ']'"))
    return error(opening.begin);
  ArrayRef<const Expr *> elements = keep<const Expr *>(children);
  if (count)
    children.push_back(count);
  return finish(make<ArrayExpr>(from(opening.begin), elements, count), {}, children);
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of other languages.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

bool failMacro(Parser &parser) {
  if (!parser.peek().is(TokenKind::Bang) || parser.ahead.begin != parser.token.end)
    return false;
  StringRef name = parser.token.text();
  std::string hint = parser.at(TokenKind::Assert) ? "write 'assert c, \"x = {x}\"'"
                                                  : hintForName(Foreign::Function, name);
  parser.fail({parser.token.begin, parser.ahead.end}, diag::ForeignForm, (name + "!").str(),
              hint.empty() ? "there are no macros" : hint);
  return true;
}

bool acceptForeignDefault(Parser &parser) {
  if (!parser.at(TokenKind::Else) && !parser.atWord("default"))
    return false;
  if (!parser.peek().is(TokenKind::Colon))
    return false;
  if (parser.at(TokenKind::Else))
    parser
        .complain(parser.token.range(), diag::MisplacedMember, "else",
                  "write 'case _' for the remaining values")
        .fix("case _");
  else
    parser.complain(parser.token.range(), diag::ForeignWord, parser.token.text(), "case _")
        .fix("case _");
  parser.advance();
  return true;
}

Expr *failPatternCondition(Parser &parser) {
  const char *begin = parser.token.begin;
  StringRef pattern = restOfLine(parser.token.end).split('=').first;
  while (!(pattern = pattern.drop_until(lex::isIdentifierStart)).empty()) {
    parser.items.skippedNames.push_back(pattern.take_while(lex::isIdentifierPart));
    pattern = pattern.drop_front(parser.items.skippedNames.back().size());
  }
  parser.fail(
      parser.token.range(), diag::ForeignForm, "let",
      "write a bool condition, as in 'if i < n:', or use 'match' for the members of an enum");
  return parser.error(begin);
}

/// What to write for 'for i, x in enumerate(a):' and the like, from what is after its 'in'.
static std::string oneVariable(StringRef iterable) {
  StringRef name = iterable.split(':').first.trim();
  bool isCall = name.consume_front("enumerate(") || name.consume_front("zip(");
  name = isCall ? name.rtrim(") {") : name;
  bool isName = !name.empty() && llvm::all_of(name, lex::isIdentifierPart);
  name = isName ? shortOr(name, "a") : "a";
  return ("write 'for i in 0.." + name + ".len():', and '" + name + "[i]' inside").str();
}

/// Returns the hint for a loop of C. `text` is the text after its '(': 'int i = 0; i < n; i++) {'
/// or 'float x : a) {'.
static std::string hintForLoop(StringRef text) {
  std::string general = "write 'for i in a..b:'";
  if (!text.contains(';') && text.contains(" : ")) {
    auto [declaration, iterable] = text.split(" : ");
    StringRef variable = declaration.rtrim();
    variable = variable.drop_front(variable.find_last_of(" *&(") + 1);
    return ("write 'for " + shortOr(variable, "x") + " in " +
            shortOr(iterable.split(')').first.trim(), "a") + ":'")
        .str();
  }
  if (text.contains(") in ")) // for (i, x) in a
    return oneVariable(text.split(") in ").second);
  auto [first, afterFirst] = text.split(';');
  auto [condition, last] = afterFirst.split(';');
  StringRef name = first.split('=').first.rtrim();
  name = name.drop_front(name.find_last_of(" *(") + 1);
  StringRef from = first.split('=').second.trim(), to = condition.trim();
  last = last.rsplit(')').first.trim();
  bool isLess = !name.empty() && to.consume_front(name) && (to = to.ltrim()).consume_front("<");
  bool isInclusive = isLess && to.consume_front("=");
  to = to.ltrim();
  for (StringRef halving : {"/=", ">>=", "*=", "<<="})
    if (StringRef change = last; !name.empty() && !from.empty() && change.consume_front(name) &&
                                 change.ltrim().starts_with(halving))
      return ("write 'var " + name + " = " + from + "', then 'while " + condition.trim() +
              ":', and '" + last + "' at the end of its body")
          .str();
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

void failForeignLoop(Parser &parser) {
  parser.fail(parser.token.range(), diag::ForeignForm, "for (...)",
              hintForLoop(restOfLine(parser.token.end)));
}

void failForeignPair(Parser &parser) {
  parser.fail(parser.token.range(), diag::ForeignForm, "for i, x in",
              oneVariable(restOfLine(parser.token.end).split(" in ").second));
}

bool failForeignRange(Parser &parser, const Expr &iterable) {
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
  std::string hint = "a..b";
  if (iterable.range.text().size() <= 40 && count >= 1 && count <= 3)
    hint = (count == 1 ? "0.." + text(0) : text(0) + ".." + text(1)) +
           (count == 3 ? " step " + text(2) : "");
  diag::Builder message = parser.complain(iterable.range, diag::ForeignWord, "range", hint);
  if (hint != "a..b")
    message.fix(hint);
  return true;
}

Stmt *failDecrement(Parser &parser) {
  SourceRange range{parser.token.begin, parser.ahead.end};
  parser.fail(range, diag::ForeignForm, "--", "write '-= 1'");
  return parser.make<ErrorStmt>(range);
}

bool failForeignPointer(Parser &parser) {
  StringRef ours = typeForForeign(parser.token.text());
  StringRef type =
      ours.empty() && isScalarTypeName(parser.token.text()) ? parser.token.text() : ours;
  if (type.empty())
    return false;
  StringRef name = restOfLine(parser.ahead.end).ltrim(" *").take_while(lex::isIdentifierPart);
  parser.items.skippedNames.push_back(name);
  name = shortOr(name, "a");
  std::string hint = ("there are no pointers; a slice is a parameter '" + name + ": &[" + type +
                      "]', and a part '" + name + "[i..]'")
                         .str();
  parser.fail({parser.token.begin, parser.ahead.end}, diag::ForeignForm,
              (parser.token.text() + "*").str(), hint);
  return true;
}

bool failForeignLet(Parser &parser, const Token &first) {
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
  if (type.empty() || parser.isPanicking)
    return false;
  SourceRange range{first.begin, name.end()};
  if (rest.starts_with("[")) // float x[4]
    parser.fail(range, diag::ForeignForm, range.text(),
                ("an array is declared as 'var " + name + ": [" + type + "; 4] = [0; 4]', and in " +
                 "shared memory as 'val " + name + " = gpu.shared[" + type + "](4)'")
                    .str());
  else
    parser.fail(
        range, diag::ForeignForm, range.text(),
        ("write 'val " + name + " = ...', or 'val " + name + ": " + type + " = ...' for that type")
            .str());
  parser.items.skippedNames.push_back(name);
  return true;
}

} // namespace spl::syntax

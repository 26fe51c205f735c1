// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of other languages: declarations, parameters, and the words that begin an item.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

bool atForeignDeclaration(Parser &parser) {
  return parser.at(TokenKind::Identifier) && parser.peek().is(TokenKind::Identifier) &&
         (isScalarTypeName(parser.token.text()) || !typeForForeign(parser.token.text()).empty());
}

bool failForeignItem(Parser &parser, TokenKind replacement) {
  StringRef word = hintForWord(parser.token.text(), replacement);
  if (!word.empty())
    parser.fail(parser.token.range(), diag::MisplacedItem, parser.token.text(), "a function",
                ("; at the top level, write '" + word + "'").str());
  return !word.empty();
}

bool acceptForeignWord(Parser &parser, TokenKind replacement) {
  StringRef word =
      parser.at(TokenKind::Identifier) ? hintForWord(parser.token.text(), replacement) : "";
  if (word.empty())
    return false;
  if (parser.token.text() == "let" && parser.peek().is(TokenKind::Identifier) &&
      parser.ahead.text() == "mut")
    word = "var";
  parser.complain(parser.token.range(), diag::ForeignWord, parser.token.text(), word)
      .fix(word.str());
  parser.token.kind = replacement;
  return true;
}

bool atResultWithoutArrow(Parser &parser) {
  if (parser.at(TokenKind::Colon)) // no statement of this language begins with the name of a type
    return parser.peek().is(TokenKind::Identifier) &&
           (isScalarTypeName(parser.ahead.text()) || !typeForForeign(parser.ahead.text()).empty());
  if (parser.at(TokenKind::Equal))
    return parser.peek().is(TokenKind::Greater);
  return parser.token.isOneOf(TokenKind::Identifier, TokenKind::LBracket, TokenKind::LParen,
                              TokenKind::Amp);
}

std::string parameterHint(Parser &parser) {
  StringRef word = parser.token.text();
  if (!parser.peek().is(TokenKind::Identifier))
    return {};
  StringRef name = parser.ahead.text();
  bool isSlice = restOfLine(parser.ahead.end).ltrim(": ").starts_with("&");
  if (word == "mut" && isSlice)
    return "; the elements of a '&mut' slice are writable";
  if (word == "mut" || parser.at(TokenKind::Var))
    return ("; a parameter cannot be assigned; write 'var " + name + " = " + name +
            "' in the body for a copy")
        .str();
  if (word == "out" || word == "inout")
    return ("; for a result, write '" + name + ": &mut [f32]'").str();
  StringRef ours = isScalarTypeName(word) ? word : typeForForeign(word);
  return ours.empty() ? std::string() : ("; write '" + name + ": " + ours + "'").str();
}

/// '&y: [f32]' and '&mut y: [f32]', at the '&'.
static bool failReferenceParameter(Parser &parser) {
  if (!parser.at(TokenKind::Amp))
    return false;
  StringRef rest = restOfLine(parser.token.end).ltrim();
  StringRef mark = rest.consume_front("mut ") ? "&mut " : "&";
  rest = rest.ltrim();
  StringRef name = rest.take_while(lex::isIdentifierPart);
  rest = rest.drop_front(name.size()).ltrim();
  if (name.empty() || !lex::isIdentifierStart(name.front()))
    return false;
  StringRef type = rest.consume_front(":") ? rest.ltrim() : "";
  type = type.starts_with("[") ? type.take_until([](char c) { return c == ']'; })
                               : type.take_while(lex::isIdentifierPart);
  std::string element = type.consume_front("[") ? type.split(';').first.trim().str() : type.str();
  if (element.empty() || element.size() > 40)
    element = "f32";
  parser.fail(parser.token.range(), diag::ParameterForm,
              ("; write '" + name + ": " + mark + "[" + element + "]'").str());
  return true;
}

bool failForeignParameter(Parser &parser) {
  if (failReferenceParameter(parser))
    return true;
  bool isWord = parser.token.isOneOf(TokenKind::Const, TokenKind::Val, TokenKind::Var);
  bool isPair = parser.at(TokenKind::Identifier) &&
                parser.peek().isOneOf(TokenKind::Identifier, TokenKind::Star, TokenKind::Amp);
  if (!isWord && !isPair)
    return false;
  parser.fail(parser.token.range(), diag::ParameterForm, parameterHint(parser));
  return true;
}

} // namespace spl::syntax

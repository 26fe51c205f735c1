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

StringRef aliasHere(Parser &parser) {
  if (!parser.at(TokenKind::Identifier))
    return {};
  StringRef rest = restOfLine(parser.token.end).trim(" \t;");
  if (parser.atWord("typedef"))
    return rest.take_back(rest.size() - (rest.find_last_of(" \t*}") + 1));
  const bool isWord = parser.atWord("type") || parser.atWord("using") || parser.atWord("alias") ||
                      parser.atWord("typealias");
  StringRef name = rest.take_while(lex::isIdentifierPart);
  return isWord && parser.peek().is(TokenKind::Identifier) &&
                 rest.drop_front(name.size()).ltrim().starts_with("=")
             ? name
             : StringRef();
}

bool failForeignAlias(Parser &parser) {
  const StringRef alias = aliasHere(parser);
  if (!alias.empty())
    parser.items.skippedNames.push_back(alias);
  const bool isImport = parser.atWord("using") && parser.peek().is(TokenKind::Identifier);
  if (alias.empty() && !isImport)
    return false;
  parser.fail(parser.token.range(), diag::ForeignForm, parser.token.text(),
              alias.empty() ? "'use file.name' imports a name from 'file.spl'"
                            : "write the type itself, as there are no aliases, or 'fn f[T](x: T)' "
                              "for a type that varies");
  return true;
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

/// 'a: &mut [f32]' for the 'float *a' of C, and 'a: &[f32]' for 'const float *a'. Empty for text of
/// another form.
static std::string simpleParameter(StringRef text) {
  auto [type, name] = std::pair(text.trim(), StringRef());
  name = type.take_back(type.size() - (type.find_last_of(" *&") + 1));
  type = type.drop_back(name.size());
  if (name.empty() || !llvm::all_of(name, lex::isIdentifierPart))
    return {};
  bool isConst = false, isPointer = false;
  StringRef element;
  while (!(type = type.ltrim()).empty()) {
    StringRef word = type.take_while(lex::isIdentifierPart);
    if (word.empty() && type.front() != '*')
      return {};
    type = type.drop_front(std::max<size_t>(word.size(), 1));
    if (word.empty())
      isPointer = true;
    else if (word == "const")
      isConst = true;
    else if (!word.contains("restrict") && (element.empty() || element == "unsigned"))
      element = element.empty() ? word : StringRef("u" + word.str() == "uint" ? "uint" : "ulong");
  }
  StringRef ours = isScalarTypeName(element) ? element : typeForForeign(element);
  if (ours.empty())
    return {};
  return (name + ": " +
          (!isPointer ? ""
           : isConst  ? "&["
                      : "&mut [") +
          ours + (isPointer ? "]" : ""))
      .str();
}

/// 'a: &mut [f32], n: i32' for the parameters 'float *a, int n' of C from \p first on. Empty if one
/// of them is not of C.
static std::string simpleParameters(const char *first) {
  std::string all;
  for (StringRef rest = restOfLine(first).split(')').first; !rest.empty();) {
    auto [parameter, behind] = rest.split(',');
    const std::string ours = simpleParameter(parameter);
    if (ours.empty())
      return {};
    all += (all.empty() ? "" : ", ") + ours;
    rest = behind;
  }
  return all;
}

/// The elements of a slice whose type is written there: "f32" for '[f32]', 'f32', 'Vec<f32>' and
/// '&[f32]'.
static std::string elementOf(StringRef type) {
  type = type.ltrim("& *");
  type.consume_front("mut ");
  if (type.consume_front("[")) {
    int depth = 0;
    size_t end = 0;
    for (; end != type.size() && (depth != 0 || !StringRef("];").contains(type[end])); ++end)
      depth += (type[end] == '[') - (type[end] == ']');
    type = type.take_front(end).trim();
  } else {
    StringRef word = type.take_while(lex::isIdentifierPart);
    StringRef rest = type.drop_front(word.size());
    type = rest.consume_front("<") ? rest.take_while(lex::isIdentifierPart) : word;
  }
  StringRef ours = typeForForeign(type);
  return ours.empty() ? shortOr(type, "f32").str() : ours.str();
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
  if (name.empty() || name == "mut" || !lex::isIdentifierStart(name.front()))
    return false;
  std::string element = elementOf(rest.consume_front(":") ? rest.ltrim() : "");
  parser.fail(parser.token.range(), diag::ParameterForm,
              ("; write '" + shortOr(name, "a") + ": " + mark + "[" + element + "]'").str());
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
  const std::string ours = simpleParameters(parser.token.begin);
  parser.fail(parser.token.range(), diag::ParameterForm,
              ours.empty() ? parameterHint(parser) : "; write '" + ours + "'");
  return true;
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of other languages.

#include "frontend/syntax/ForeignSyntax.h"
#include "frontend/syntax/SyntaxHints.h"

namespace spl::syntax {

bool failForeignMode(Parser &parser) {
  bool isWord = parser.atWord("mut") || parser.atWord("out") || parser.atWord("inout") ||
                parser.atWord("ref") || parser.token.isOneOf(TokenKind::Const, TokenKind::In);
  if (!isWord || !parser.peek().isOneOf(TokenKind::Amp, TokenKind::LBracket, TokenKind::Identifier))
    return false;
  constexpr StringRef hint =
      "write '&[f32]' for a slice that is only read, and '&mut [f32]' for a slice that is written";
  if (parser.atWord("mut"))
    parser.fail(parser.token.range(), diag::MisplacedMut);
  else if (parser.at(TokenKind::Identifier))
    parser.fail(parser.token.range(), diag::ForeignForm, parser.token.text(), hint);
  else
    parser.fail(parser.token.range(), diag::ExpectedType, describe(parser.token),
                ("; " + hint).str());
  return true;
}

static bool isTypeWord(StringRef word) { return word == "signed" || !typeForForeign(word).empty(); }

std::string typeOfWords(ArrayRef<StringRef> words) {
  if (!llvm::all_of(words, isTypeWord))
    return {};
  StringRef bits = "32";
  for (StringRef word : words)
    if (word != "unsigned" && word != "signed" && word != "int")
      bits = typeForForeign(word).drop_front();
  return (llvm::is_contained(words, "unsigned") ? "u" : "i") + bits.str();
}

bool failTypeOfWords(Parser &parser) {
  auto isWord = [](const Token &word) {
    return word.is(TokenKind::Identifier) && isTypeWord(word.text());
  };
  if (!isWord(parser.token) || !isWord(parser.peek()))
    return false;
  const char *begin = parser.token.begin;
  llvm::SmallVector<StringRef, 4> words;
  while (isWord(parser.token))
    words.push_back(parser.advance().text());
  SourceRange range = parser.from(begin);
  parser.fail(range, diag::ForeignForm, range.text(), "write '" + typeOfWords(words) + "'");
  return true;
}

} // namespace spl::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of generic functions and structs.

#include "frontend/syntax/ParseItems.h"
#include "frontend/syntax/ParseTypes.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::syntax {

static bool parseGeneric(Parser &parser, llvm::SmallVectorImpl<GenericParameter> &generics) {
  bool isConst = parser.accept(TokenKind::Const);
  std::optional<Identifier> name = parseName(parser, isConst ? "the name of a constant parameter"
                                                             : "the name of a type parameter");
  if (!name)
    return false;
  GenericParameter generic{*name};
  if (isConst) {
    if (!parser.expect(TokenKind::Colon, "':' and the constant's type"))
      return false;
    generic.constType = parseType(parser);
  } else if (parser.accept(TokenKind::Colon)) {
    if (!parser.at(TokenKind::Identifier)) {
      parser.fail(parser.here(), diag::ExpectedName, "a bound: " + boundNames("or"),
                  describe(parser.token));
      return false;
    }
    generic.bound = Identifier{parser.token.text(), parser.token.range()};
    parser.advance();
  }
  generics.push_back(generic);
  return !parser.isPanicking;
}

bool parseGenerics(Parser &parser, StringRef otherwise, ArrayRef<GenericParameter> &result) {
  if (parser.at(TokenKind::Less)) {
    parser.failExpected(otherwise);
    return false;
  }
  if (!parser.at(TokenKind::LBracket))
    return true;
  Token opening = parser.advance();
  llvm::SmallVector<GenericParameter, 4> generics;
  do {
    if (parser.at(TokenKind::RBracket) && !generics.empty())
      break;
    if (!parseGeneric(parser, generics))
      return false;
  } while (parser.accept(TokenKind::Comma));
  result = parser.keep<GenericParameter>(generics);
  return parser.expectClosing(TokenKind::RBracket, opening, "',' or ']'");
}

} // namespace spl::syntax

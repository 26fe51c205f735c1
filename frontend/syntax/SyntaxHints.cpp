// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of types, and the words of other languages.

#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/Ast.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace spl::syntax {

using lex::TokenKind;

StringRef hintForWord(StringRef word, TokenKind replacement) {
#define WORD(Foreign, Id)                                                                          \
  if (replacement == TokenKind::Id && word == Foreign)                                             \
    return spelling(TokenKind::Id);
#include "frontend/syntax/SyntaxHints.def"
  return {};
}

StringRef hintForOperator(TokenKind kind) {
#define OPERATOR(Id, Hint)                                                                         \
  if (kind == TokenKind::Id)                                                                       \
    return Hint;
#include "frontend/syntax/SyntaxHints.def"
  return {};
}

StringRef hintForHabit(StringRef word) {
#define HABIT(Foreign, Hint)                                                                       \
  if (word == Foreign)                                                                             \
    return Hint;
#include "frontend/syntax/SyntaxHints.def"
  return {};
}

StringRef hintForName(Foreign kind, StringRef name) {
#define NAME(Kind, ForeignName, Hint)                                                              \
  if (kind == Foreign::Kind && name == ForeignName)                                                \
    return Hint;
#include "frontend/syntax/SyntaxHints.def"
  return {};
}

StringRef typeForForeign(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
#define TYPE(ForeignName, Ours) .Case(ForeignName, Ours)
#include "frontend/syntax/SyntaxHints.def"
      .Default({});
}

/// Bits of a scalar type, 0 for other names.
static unsigned scalarBits(StringRef name) {
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits)                                               \
  if (name == Name)                                                                                \
    return Bits;
#include "spl/ScalarTypes.def"
  return 0;
}

bool isScalarTypeName(StringRef name) { return scalarBits(name) != 0; }

std::optional<VectorName> parseVectorName(StringRef name) {
  auto [element, digits] = name.split('x');
  unsigned elementBits = scalarBits(element);
  if (elementBits <= 1 || // masks have no name
      digits.empty() || !llvm::all_of(digits, llvm::isDigit))
    return std::nullopt;
  unsigned lanes = llvm::StringSwitch<unsigned>(digits)
                       .Case("2", 2)
                       .Case("4", 4)
                       .Case("8", 8)
                       .Case("16", 16)
                       .Default(0);
  return VectorName{element, lanes, elementBits * lanes};
}

bool isVectorTypeName(StringRef name) {
  std::optional<VectorName> vector = parseVectorName(name);
  return vector && vector->isValid();
}

static constexpr llvm::StringLiteral bounds[] = {
#define BOUND(Name, Takes) Name,
#include "frontend/syntax/Bounds.def"
};

bool isBoundName(StringRef name) { return llvm::is_contained(bounds, name); }

std::string boundNames(StringRef last) {
  std::string names = llvm::join(ArrayRef(bounds).drop_back(), ", ");
  return names + " " + last.str() + " " + std::end(bounds)[-1].str();
}

} // namespace spl::syntax

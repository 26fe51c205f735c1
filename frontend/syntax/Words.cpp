// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words the parser knows besides the keywords: types' names, other languages' words, and the words
// of its own messages.

#include "frontend/syntax/ForeignWords.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/TypeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace spl::syntax {

StringRef remedyForWord(StringRef word, TokenKind replacement) {
#define WORD(Foreign, Id)                                                                          \
  if (replacement == TokenKind::Id && word == Foreign)                                             \
    return spelling(TokenKind::Id);
#include "frontend/syntax/ForeignWords.def"
  return {};
}

StringRef remedyForOperator(TokenKind kind) {
#define OPERATOR(Id, Remedy)                                                                       \
  if (kind == TokenKind::Id)                                                                       \
    return Remedy;
#include "frontend/syntax/ForeignWords.def"
  return {};
}

StringRef remedyForHabit(StringRef word) {
#define HABIT(Foreign, Remedy)                                                                     \
  if (word == Foreign)                                                                             \
    return Remedy;
#include "frontend/syntax/ForeignWords.def"
  return {};
}

StringRef remedyForName(Foreign kind, StringRef name) {
#define NAME(Kind, ForeignName, Remedy)                                                            \
  if (kind == Foreign::Kind && name == ForeignName)                                                \
    return Remedy;
#include "frontend/syntax/ForeignWords.def"
  return {};
}

StringRef typeForForeign(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
#define TYPE(ForeignName, Ours) .Case(ForeignName, Ours)
#include "frontend/syntax/ForeignWords.def"
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

StringRef restOfLine(const char *begin) {
  const char *end = begin;
  while (*end != '\n' && *end != '\0')
    ++end;
  return StringRef(begin, end - begin);
}

std::string describe(const Token &token) {
  // The first line of a long token is enough to recognise it.
  constexpr size_t limit = 40;
  if (!isFixed(token.kind) && token.kind != TokenKind::Identifier && token.kind != TokenKind::Int &&
      token.kind != TokenKind::Float)
    return spelling(token.kind).str();
  StringRef text = token.text();
  std::string quoted = "'" + text.take_front(limit).str() + (text.size() > limit ? "...'" : "'");
  return (isKeyword(token.kind) ? "the keyword " : "") + quoted;
}

} // namespace spl::syntax

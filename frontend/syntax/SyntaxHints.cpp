// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of types, and the words of other languages.

#include "frontend/syntax/SyntaxHints.h"
#include "frontend/lex/Lexer.h"
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

/// Whether the text needs no parentheses before an operator: a name, an element, a call, a number.
static bool isTight(StringRef text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (depth == 0 && !llvm::isAlnum(c) && !StringRef("_.)]").contains(c))
      return false;
  }
  return depth == 0;
}

/// Whether the text can be a slice or a part of one: no number, no call.
static bool isPlace(StringRef text) {
  return isTight(text) && !text.ends_with(")") && lex::isIdentifierStart(text.front());
}

/// The element that a pointer of C points to: 'a[0]' of 'a', and 'a[i]' of 'a + i'. Empty if the
/// text is no such pointer.
static std::string elementOf(StringRef pointer) {
  auto [name, index] = pointer.split('+');
  name = name.trim();
  index = index.trim();
  const bool isAlone = !pointer.contains('+');
  if (name.empty() || !llvm::all_of(name, lex::isIdentifierPart) || (!isAlone && index.empty()))
    return {};
  return (name + "[" + (isAlone ? "0" : index) + "]").str();
}

/// The operand of a place '<0:a[i]>' in a hint, where \p form is ':', '!' or '@'. Empty where the
/// source has none that is short and fits.
static std::string operandText(ArrayRef<StringRef> operands, unsigned index, char form,
                               StringRef byDefault) {
  constexpr size_t maxLength = 40;
  if (index >= operands.size())
    return {};
  StringRef text = operands[index];
  if (text.consume_front("&"))
    text.consume_front("mut ");
  text = text.trim();
  const bool isElement = byDefault.ends_with("[i]");
  if (text.empty() || text.size() > maxLength || text.contains('\n'))
    return {};
  if (isElement)
    if (std::string element = elementOf(text); !element.empty())
      return element;
  if ((isElement || form == '@') && !isPlace(text))
    return {};
  return form == '!' && !isTight(text) ? ("(" + text + ")").str() : text.str();
}

std::string withOperands(StringRef hint, ArrayRef<StringRef> operands) {
  std::string text;
  for (StringRef rest = hint; !rest.empty();) {
    auto [before, after] = rest.split('<');
    text += before;
    auto [place, behind] = after.split('>');
    rest = behind;
    if (place.empty())
      continue;
    StringRef byDefault = place.drop_front(2);
    std::string operand = operandText(operands, unsigned(place[0] - '0'), place[1], byDefault);
    if (operand.empty() && !operands.empty())
      return withOperands(hint, {});
    text += operand.empty() ? byDefault.str() : operand;
  }
  return text;
}

/// Whether the name is one of the words, which are separated by spaces.
static bool isWordOf(StringRef words, StringRef name) {
  while (!words.empty()) {
    auto [word, rest] = words.split(' ');
    if (word == name)
      return true;
    words = rest;
  }
  return false;
}

std::string hintForName(Foreign kind, StringRef name, ArrayRef<StringRef> operands) {
#define NAME(Kind, ForeignName, Hint)                                                              \
  if (kind == Foreign::Kind && name == ForeignName)                                                \
    return withOperands(Hint, operands);
#include "frontend/syntax/SyntaxHints.def"
  if (kind != Foreign::Function)
    return {};
#define FUNCTION(Names, Hint)                                                                      \
  if (isWordOf(Names, name))                                                                       \
    return withOperands(Hint, operands);
#include "frontend/syntax/ForeignFunctions.def"
  return {};
}

StringRef typeForForeign(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
#define TYPE(ForeignName, Ours) .Case(ForeignName, Ours)
#include "frontend/syntax/SyntaxHints.def"
      .Default({});
}

/// The number of bits of a scalar type; 0 for other names.
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
  unsigned lanes = 0;
  for (unsigned count : abi::vectorLanes)
    if (digits == std::to_string(count))
      lanes = count;
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
